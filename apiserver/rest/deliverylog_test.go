package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/delivery"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// hook makes the site one of the type Headless.
func (api *restAPI) hook(format v1alpha1.PayloadFormat, url string) *v1alpha1.Site {
	old := api.site(workspace, siteUID)
	s := old.DeepCopy()
	s.ResourceVersion = "2"
	s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: url, PayloadFormat: format}}
	api.index.Handlers().Sites.OnUpdate(old, s)
	return s
}

// sentText is the text that sent delivers.
var sentText = content.Document{Title: "Grip & <grind>", Slug: "old-slug", Markdown: "Some *text*.", MetaDescription: "Which shoes grip."}

// sent adds an article whose revision was delivered to a site in these attempts: "cycle/outcome" each.
func (api *restAPI) sent(to *v1alpha1.Site, state v1alpha1.CycleState, made ...string) *v1alpha1.Article {
	api.t.Helper()
	a := api.article(func(a *v1alpha1.Article) {
		a.Status.Slug = "grip-and-grind"
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: a.Name + "-1", Number: 1, Digest: sentText.Digest()}
		id := cycles.AttemptID{ID: "0198f0a1-0000-7000-8000-00000000000a", Holder: "h"}
		want := lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, to)}
		record.BeginCycle(a, to, want, "grip-and-grind-0", id, began)
		p := a.Status.Publication
		p.Attempts = nil
		for n, x := range made {
			var cycle int32
			var outcome string
			if _, err := fmt.Sscanf(strings.ReplaceAll(x, "/", " "), "%d %s", &cycle, &outcome); err != nil {
				api.t.Fatal(err)
			}
			p.Attempts = append(p.Attempts, v1alpha1.DeliveryAttempt{
				ID: id.ID, Cycle: cycle, Number: 1, StartTime: v1alpha1.NewMicroTime(began.Add(time.Duration(n) * time.Minute)),
				AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptOutcome(outcome), HTTPStatus: 503, Message: "busy"},
			})
			p.Cycle.Number = cycle
		}
		p.Cycle.State, p.Cycle.Reason = state, v1alpha1.ReasonExhausted
		p.LastAnswer = &v1alpha1.ReceiverAnswer{AttemptID: id.ID, HTTPStatus: 503, Snippet: "<b>busy</b>"}
		meta.SetStatusCondition(&a.Status.Conditions, metav1.Condition{
			Type: v1alpha1.ConditionReady, Status: "False", Reason: v1alpha1.ReasonRetryScheduled, Message: "4 attempts failed: busy",
		})
	})
	rev := revision.New(a, sentText, revision.Origin{
		Name: a.Status.Revision.Name, Number: 1, Source: v1alpha1.SourceWritten,
	})
	api.objects.revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(rev): rev}
	return a
}

func (api *restAPI) deliveries(a *v1alpha1.Article) delivery.ArticleDeliveries {
	api.t.Helper()
	var out delivery.ArticleDeliveries
	api.into(request{path: "/v1/api/blogs/" + a.Name + "/deliveries"}, &out)
	return out
}

func TestTheRequestThatWasSentIsMadeAgainByteForByte(t *testing.T) {
	const head = `{"title":"Grip & <grind>","slug":"grip-and-grind","meta_description":"Which shoes grip.","excerpt":"Which shoes grip.",` +
		`"status":"publish","content_format":`
	for format, wantEnd := range map[v1alpha1.PayloadFormat]string{
		v1alpha1.PayloadJSON:     `"json","content_markdown":"Some *text*.","content_html":"<p>Some <em>text</em>.</p>\n"}`,
		v1alpha1.PayloadMarkdown: `"markdown","content":"Some *text*."}`,
		v1alpha1.PayloadHTML:     `"html","content":"<p>Some <em>text</em>.</p>\n"}`,
	} {
		api := newAPI(t)
		a := api.sent(api.hook(format, "https://blog.example.com:8443/hooks/press%20room?token=hidden"), v1alpha1.CycleFailed, "1/Rejected")
		raw := api.do(request{path: "/v1/api/blogs/" + a.Name + "/deliveries"}).Raw
		if strings.Contains(raw, "hidden") {
			t.Errorf("the query of the URL is shown: %s", raw)
		}
		var managed delivery.ArticleDeliveries
		api.into(request{path: "/v1/api/blogs/" + a.Name + "/deliveries", key: managerKey}, &managed)
		if u := managed.Request.URL; u == nil || *u != "https://blog.example.com:8443/hooks/press%20room?token=hidden" {
			t.Errorf("with the scope manage the URL is %v, want the whole one", u)
		}
		if p := managed.Request.Path; p != "/hooks/press%20room" {
			t.Errorf("with the scope manage the path is %q", p)
		}
		got := api.deliveries(a)
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
	api := newAPI(t)
	site := api.hook(v1alpha1.PayloadJSON, "https://blog.example.com")
	site.Spec.CMS.Headless.Disclosure = v1alpha1.HeadlessDisclosureSend
	a := api.sent(site, v1alpha1.CycleFailed, "1/Accepted", "2/Rejected").DeepCopy()
	mended := sentText
	mended.Markdown = "Some better *text*."
	rev := revision.New(a, mended, revision.Origin{Name: a.Name + "-2", Number: 2, Source: v1alpha1.SourceEdited})
	api.objects.revisions[client.ObjectKeyFromObject(rev)] = rev
	p := a.Status.Publication
	p.Post.State, p.Post.Revision = v1alpha1.PostUncertain, p.Cycle.Revision
	p.Post.Revision.Disclosure = v1alpha1.DisclosureHumanOnly
	p.Cycle.Revision = &v1alpha1.PublicationRevision{
		Name: rev.Name, Number: 2, Digest: mended.Digest(), Disclosure: v1alpha1.DisclosureAIAssisted,
	}
	api.objects.articles[client.ObjectKeyFromObject(a)] = a
	got := api.deliveries(a).Request
	if got == nil || got.RevisionDigest != mended.Digest() || !strings.Contains(got.Body, "Some better *text*.") ||
		!strings.Contains(got.Body, `"disclosure":"ai_assisted"`) {
		t.Errorf("the request is %+v, want that of the update", got)
	}
}

func TestDeliveriesAreGroupedNewestFirst(t *testing.T) {
	api := newAPI(t)
	a := api.sent(api.hook(v1alpha1.PayloadJSON, "https://blog.example.com"), v1alpha1.CycleRetryScheduled, "3/Rejected", "3/Accepted", "4/Timeout", "5/Rejected", "5/Timeout")
	got := api.deliveries(a)
	var states []string
	for _, c := range got.Data {
		states = append(states, fmt.Sprintf("%d %s %d", c.Cycle, c.Status, len(c.Attempts)))
	}
	if want := "[5 retry_scheduled 2 4 failed 1 3 delivered 2]"; fmt.Sprint(states) != want {
		t.Errorf("deliveries are %v, want %s", states, want)
	}
	if got.Status != "retry_scheduled" || !strings.Contains(got.StatusMessage, "another one follows") || got.LastAnswer == nil || got.LastAnswer.Snippet != "<b>busy</b>" {
		t.Errorf("got %+v", got)
	}
	if got.Request == nil || got.Request.Path != "" {
		t.Errorf("the request is %+v: a path can be secret, such as that of a hook of a chat", got.Request)
	}
}

func TestTheNoteSaysWhatKeepsTheRequestFromBeingMadeAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		change      func(*restAPI, *v1alpha1.Site, *v1alpha1.Article)
		wantNote    string
		wantRequest bool
	}{
		"the revision is gone": {func(api *restAPI, _ *v1alpha1.Site, _ *v1alpha1.Article) { api.objects.revisions = nil }, "no longer kept", false},
		"the site is gone":     {func(api *restAPI, s *v1alpha1.Site, _ *v1alpha1.Article) { api.index.Handlers().Sites.OnDelete(s) }, "no longer exists", false},
		"the site is of a CMS": {func(api *restAPI, s *v1alpha1.Site, _ *v1alpha1.Article) {
			changed := s.DeepCopy()
			changed.ResourceVersion, changed.Spec.CMS = "3", v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress}
			api.index.Handlers().Sites.OnUpdate(s, changed)
		}, "several requests", false},
		"the site sends elsewhere": {func(api *restAPI, s *v1alpha1.Site, _ *v1alpha1.Article) {
			changed := s.DeepCopy()
			changed.ResourceVersion, changed.Spec.CMS.Headless.URL = "3", "https://other.example"
			api.index.Handlers().Sites.OnUpdate(s, changed)
		}, "has changed since", true},
	} {
		api := newAPI(t)
		site := api.hook(v1alpha1.PayloadJSON, "https://blog.example.com/hook")
		a := api.sent(site, v1alpha1.CycleFailed, "1/Rejected")
		tt.change(api, site, a)
		if got := api.deliveries(a); !strings.Contains(got.RequestNote, tt.wantNote) || (got.Request != nil) != tt.wantRequest {
			t.Errorf("%s: request %v, note %q; want %q", name, got.Request, got.RequestNote, tt.wantNote)
		}
	}
}

func TestAnArticleOfWhichNothingWasSentHasNoDeliveries(t *testing.T) {
	api := newAPI(t)
	a := api.article(nil)
	raw := api.do(request{path: "/v1/api/blogs/" + a.Name + "/deliveries"}).Raw
	var got map[string]any
	if err := json.Unmarshal([]byte(raw), &got); err != nil {
		t.Fatal(err)
	}
	if got["state"] != "none" || fmt.Sprint(got["data"]) != "[]" || got["request"] != nil || got["request_note"] != "nothing has been sent" {
		t.Errorf("got %s", raw)
	}
	wantFailure(t, api.do(request{path: "/v1/api/blogs/" + a.Name + "/deliveries", workspace: otherWorkspace}), http.StatusNotFound, "NOT_FOUND")
}
