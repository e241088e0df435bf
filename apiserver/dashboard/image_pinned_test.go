package dashboard_test

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/imagehost"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

// pinned makes an article whose revision has an image, and returns the path of the image's file.
func pinned(p *pagetest.Person, image v1alpha1.RevisionImage) string {
	doc := content.Document{Title: "Huts", Markdown: "One hut.", Image: &image}
	a := p.API.Article(func(a *v1alpha1.Article) {
		name := identity.RevisionName(a.Name, a.Name, 1)
		rev := revision.New(a, doc, revision.Origin{Name: name, Number: 1, Source: v1alpha1.SourceWritten})
		p.API.Objects.Revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(rev): rev}
		record.MakeCurrent(a, v1alpha1.CurrentRevision{Name: name, Number: 1, Digest: doc.Digest(), Title: doc.Title, Source: v1alpha1.SourceWritten})
	})
	return pagetest.In("articles", a.Name, "images", image.SHA256)
}

// fetcher fetches as the facade does, from this machine too if that is allowed.
func fetcher(loopback bool) featuredimage.Fetcher {
	var policy egress.Policy
	if loopback {
		policy.AllowCIDRs = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
	return featuredimage.Fetcher{HTTP: egress.NewClient(policy, 0), Clock: clock.RealClock{}}
}

func TestOnlyThePinnedFileIsShown(t *testing.T) {
	const other = "another file now than the one that this text was reviewed with"
	scripted := []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
	for name, tt := range map[string]struct {
		now    []byte
		status int
		want   int
		says   string
	}{
		"the file":                  {nil, http.StatusOK, http.StatusOK, ""},
		"another image":             {imagehost.PNG(10, 10), http.StatusOK, http.StatusConflict, other},
		"a file of more than 10 MB": {make([]byte, 11<<20), http.StatusOK, http.StatusConflict, other},
		"an SVG with a script":      {scripted, http.StatusOK, http.StatusConflict, other},
		"a page":                    {[]byte("<!doctype html>"), http.StatusOK, http.StatusConflict, other},
		"nothing":                   {[]byte{}, http.StatusOK, http.StatusConflict, other},
		"no answer of the host":     {nil, http.StatusNotFound, http.StatusBadGateway, "its host answered 404 Not Found"},
		"a redirect":                {nil, http.StatusFound, http.StatusBadGateway, "The URL of the image redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			host := imagehost.New()
			defer host.Close()
			p := pagetest.SignIn(t, v1alpha1.ScopeRead)
			p.Images = fetcher(true)
			path := pinned(p, *host.Reviewed())
			if tt.now != nil {
				host.Put(tt.now)
			}
			host.Answer(tt.status)
			got := p.Get(path)
			p.Want(got, tt.want, map[string]string{"body": tt.says})
			wantType, wantCaching := "text/plain; charset=utf-8", "no-store"
			if tt.want == http.StatusOK {
				wantType, wantCaching = "image/png", "private, max-age=86400, immutable"
			}
			for header, want := range map[string]string{
				"Content-Type": wantType, "Cache-Control": wantCaching, "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
			} {
				if got.Header.Get(header) != want {
					t.Errorf("%s is %q, want %q", header, got.Header.Get(header), want)
				}
			}
			if policy := got.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("the policy is %q", policy)
			}
		})
	}
}

// neverFetched is a host that must not be asked.
type neverFetched struct{ *testing.T }

func (f neverFetched) Read(_ context.Context, image v1alpha1.RevisionImage) ([]byte, error) {
	f.Errorf("%s is fetched", image.URL)
	return nil, nil
}

func TestNoImageIsFetchedForWhoMayNotSeeIt(t *testing.T) {
	host := imagehost.New()
	defer host.Close()
	reviewed := *host.Reviewed()
	for name, tt := range map[string]struct {
		scope  v1alpha1.Scope
		change func(image *v1alpha1.RevisionImage, path *string)
		want   int
	}{
		"without the scope read": {v1alpha1.ScopeWrite, func(*v1alpha1.RevisionImage, *string) {}, http.StatusForbidden},
		"of another hash": {v1alpha1.ScopeRead, func(_ *v1alpha1.RevisionImage, path *string) {
			*path = strings.Replace(*path, reviewed.SHA256, strings.Repeat("0", 64), 1)
		}, http.StatusNotFound},
		"of another workspace": {v1alpha1.ScopeRead, func(_ *v1alpha1.RevisionImage, path *string) {
			*path = strings.Replace(*path, "acme-blog", "rival-blog", 1)
		}, http.StatusNotFound},
		"of another article": {v1alpha1.ScopeRead, func(_ *v1alpha1.RevisionImage, path *string) {
			*path = pagetest.In("articles", identity.NewName(), "images", reviewed.SHA256)
		}, http.StatusNotFound},
		"of a revision that is not kept": {v1alpha1.ScopeRead, func(_ *v1alpha1.RevisionImage, path *string) { *path += "?revision=9" }, http.StatusNotFound},
		"of a type that runs scripts":    {v1alpha1.ScopeRead, func(image *v1alpha1.RevisionImage, _ *string) { image.Type = "image/svg" }, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			p := pagetest.SignIn(t, tt.scope)
			p.Images = neverFetched{t}
			image, path := reviewed, ""
			tt.change(&image, &path)
			path = pinned(p, image)
			tt.change(&image, &path)
			p.Want(p.Get(path), tt.want, nil)
		})
	}
}

func TestAnImageAtAnAddressThatIsNotPublicIsNotFetched(t *testing.T) {
	host := imagehost.New()
	defer host.Close()
	image := *host.Reviewed()
	for _, url := range []string{
		host.URL + "/hut.png", strings.Replace(host.URL, "127.0.0.1", "localhost", 1), strings.Replace(host.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1),
		strings.Replace(host.URL, "127.0.0.1", "2130706433", 1), "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/",
		"http://10.0.0.1/", "http://[fd00::1]/", "http://[64:ff9b::7f00:1]/", "http://kubernetes.default.svc/", "http://user@example.com/",
		"file:///etc/passwd",
	} {
		p := pagetest.SignIn(t, v1alpha1.ScopeRead)
		p.Images = fetcher(false)
		image.URL = url
		p.Want(p.Get(pinned(p, image)), http.StatusBadGateway, map[string]string{"body": "The image cannot be fetched"})
	}
	if n := host.Fetched(); n > 0 {
		t.Errorf("the host was asked %d times", n)
	}
}
