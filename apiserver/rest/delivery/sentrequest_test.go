package delivery_test

import (
	"net/http"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/delivery"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTheRequestThatWasSentIsMadeAgainByteForByte(t *testing.T) {
	const head = `{"title":"Grip & <grind>","slug":"grip-and-grind","meta_description":"Which shoes grip.","excerpt":"Which shoes grip.",` +
		`"status":"publish","content_format":`
	for format, wantEnd := range map[v1alpha1.PayloadFormat]string{
		v1alpha1.PayloadJSON:     `"json","content_markdown":"Some *text*.","content_html":"<p>Some <em>text</em>.</p>\n"}`,
		v1alpha1.PayloadMarkdown: `"markdown","content":"Some *text*."}`,
		v1alpha1.PayloadHTML:     `"html","content":"<p>Some <em>text</em>.</p>\n"}`,
	} {
		api := operationtest.New(t)
		a := sent(api, hook(api, format, "https://blog.example.com:8443/hooks/press%20room?token=hidden"), v1alpha1.CycleFailed, "1/Rejected")
		raw := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/deliveries"}).Raw
		if strings.Contains(raw, "hidden") {
			t.Errorf("the query of the URL is shown: %s", raw)
		}
		var managed delivery.ArticleDeliveries
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/deliveries", Key: operationtest.ManagerKey}, &managed)
		if u := managed.Request.URL; u == nil || *u != "https://blog.example.com:8443/hooks/press%20room?token=hidden" {
			t.Errorf("with the scope manage the URL is %v, want the whole one", u)
		}
		if p := managed.Request.Path; p != "/hooks/press%20room" {
			t.Errorf("with the scope manage the path is %q", p)
		}
		got := deliveries(api, a)
		if got.Request == nil || got.RequestNote != "" {
			t.Fatalf("%s: request %v, note %q, want a request without a note", format, got.Request, got.RequestNote)
		}
		if want := head + wantEnd; got.Request.Body != want {
			t.Errorf("%s: body\n%s, want\n%s", format, got.Request.Body, want)
		}
		if r := got.Request; r.Method != http.MethodPost || r.Host != "blog.example.com:8443" || r.Path != "" ||
			r.RevisionDigest != sentText.Digest() || !strings.Contains(r.Signature, "not shown") {
			t.Errorf("%s: request is %+v", format, r)
		}
		fields := map[string]string{}
		for _, f := range got.Request.Headers {
			fields[f.Name] = f.Value
		}
		if fields["X-SERVICE-Event"] != "post.publish" || fields["Content-Type"] != "application/json" || fields["User-Agent"] == "" || len(fields) != 3 {
			t.Errorf("%s: header is %v, want the contract's without the signature", format, fields)
		}
	}
}

// The last cycle of a published article may send another text than its site has.
func TestTheRequestOfAnUpdateHasItsText(t *testing.T) {
	api := operationtest.New(t)
	site := hook(api, v1alpha1.PayloadJSON, "https://blog.example.com")
	site.Spec.CMS.Headless.Disclosure = v1alpha1.HeadlessDisclosureSend
	a := sent(api, site, v1alpha1.CycleFailed, "1/Accepted", "2/Rejected").DeepCopy()
	mended := sentText
	mended.Markdown = "Some better *text*."
	rev := revision.New(a, mended, revision.Origin{Name: a.Name + "-2", Number: 2, Source: v1alpha1.SourceEdited})
	api.Objects.Revisions[client.ObjectKeyFromObject(rev)] = rev
	p := a.Status.Publication
	p.Post.State, p.Post.Revision = v1alpha1.PostUncertain, p.Cycle.Revision
	p.Post.Revision.Disclosure = v1alpha1.DisclosureHumanOnly
	p.Cycle.Revision = &v1alpha1.PublicationRevision{
		Name: rev.Name, Number: 2, Digest: mended.Digest(), Disclosure: v1alpha1.DisclosureAIAssisted,
	}
	api.Objects.Articles[client.ObjectKeyFromObject(a)] = a
	got := deliveries(api, a).Request
	if got == nil || got.RevisionDigest != mended.Digest() || !strings.Contains(got.Body, "Some better *text*.") ||
		!strings.Contains(got.Body, `"disclosure":"ai_assisted"`) {
		t.Errorf("the request is %+v, want that of the update", got)
	}
}

func TestTheNoteSaysWhatKeepsTheRequestFromBeingMadeAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		change      func(*operationtest.API, *v1alpha1.Site, *v1alpha1.Article)
		wantNote    string
		wantRequest bool
	}{
		"the revision is gone": {func(api *operationtest.API, _ *v1alpha1.Site, _ *v1alpha1.Article) { api.Objects.Revisions = nil }, "no longer kept", false},
		"the site is gone": {func(api *operationtest.API, s *v1alpha1.Site, _ *v1alpha1.Article) {
			api.Index.Handlers().Sites.OnDelete(s)
		}, "no longer exists", false},
		"the site is of a CMS": {func(api *operationtest.API, s *v1alpha1.Site, _ *v1alpha1.Article) {
			changed := s.DeepCopy()
			changed.ResourceVersion, changed.Spec.CMS = "3", v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress}
			api.Index.Handlers().Sites.OnUpdate(s, changed)
		}, "several requests", false},
		"the site sends elsewhere": {func(api *operationtest.API, s *v1alpha1.Site, _ *v1alpha1.Article) {
			changed := s.DeepCopy()
			changed.ResourceVersion, changed.Spec.CMS.Headless.URL = "3", "https://other.example"
			api.Index.Handlers().Sites.OnUpdate(s, changed)
		}, "has changed since", true},
	} {
		api := operationtest.New(t)
		site := hook(api, v1alpha1.PayloadJSON, "https://blog.example.com/hook")
		a := sent(api, site, v1alpha1.CycleFailed, "1/Rejected")
		tt.change(api, site, a)
		if got := deliveries(api, a); !strings.Contains(got.RequestNote, tt.wantNote) || (got.Request != nil) != tt.wantRequest {
			t.Errorf("%s: request %v, note %q; want %q", name, got.Request, got.RequestNote, tt.wantNote)
		}
	}
}
