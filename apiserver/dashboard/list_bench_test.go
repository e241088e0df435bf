package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var benchScopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}

// benchPeople have all signed in, and benchKeys all work.
type (
	benchPeople struct{}
	benchKeys   struct{}
)

func (benchPeople) Person(*gin.Context) (login.Person, error) {
	return login.Person{
		ID: "mara@acme.example", By: "mara@acme.example", Account: "acme", Scopes: benchScopes, Opens: []string{"w"}, SessionID: "s",
	}, nil
}

func (p benchPeople) Background(c *gin.Context) (login.Person, error) { return p.Person(c) }

func (p benchPeople) Require(c *gin.Context, _ string, _ login.Prompt) (login.Person, bool) {
	person, err := p.Person(c)
	return person, err == nil
}

func (benchKeys) Authenticate(context.Context, string) (auth.Principal, error) {
	return auth.Principal{ID: "k", Account: "acme", Scopes: benchScopes}, nil
}

// benchBegan is when all articles were made.
var benchBegan = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// benchServer serves the pages and the REST API from an index of so many articles, as the facade does.
func benchServer(tb testing.TB, articles int, c clock.Clock) http.Handler {
	tb.Helper()
	return benchServerOn(tb, articles, c, nil, benchPeople{})
}

// benchServerOn is benchServer with a client of kube-apiserver, for other people.
func benchServerOn(tb testing.TB, articles int, c clock.Clock, objects client.Client, who dashboard.People) http.Handler {
	tb.Helper()
	x := index.New(c)
	n := index.NamespaceMetadata()
	n.Name, n.Labels = "w", map[string]string{v1alpha1.AccountLabel: "acme"}
	x.Handlers().Namespaces.OnAdd(n, true)
	site := &v1alpha1.Site{}
	site.Namespace, site.Name, site.Spec.Domain = "w", "main", "blog.example.com"
	x.Handlers().Sites.OnAdd(site, true)
	for i := range articles {
		x.Handlers().Articles.OnAdd(benchArticle(i), true)
	}
	frame := newFrame(tb, c)
	frame.Whose = func(*http.Request) (middleware.Holder, bool) { return middleware.Holder{Account: "acme"}, true }
	local := &operation.Local{}
	board, err := dashboard.New(dashboard.Options{Frame: frame, Login: who, API: local, Watch: x.Watch, Clock: c, Log: logr.Discard()})
	if err != nil {
		tb.Fatal(err)
	}
	return rest.New(rest.Deps{
		Deps: operation.Deps{
			Authenticator: benchKeys{}, Index: x, Synced: func() bool { return true }, Client: objects, Clock: c, Log: logr.Discard(),
			Limits: operation.Limits{RequestsPerSecond: 1e9, RequestBurst: 1e9},
		},
		Registry: prometheus.NewRegistry(), Local: local, Mounts: []func(gin.IRouter){board.Mount},
	})
}

// newFrame returns a frame with keys of its own.
func newFrame(tb testing.TB, c clock.Clock) *pages.Frame {
	tb.Helper()
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		tb.Fatal(err)
	}
	return pages.New(pages.Options{Keys: keys, Clock: c, Log: logr.Discard()})
}

// benchArticle is the n-th article as the index has it.
func benchArticle(i int) *v1alpha1.Article {
	a := &v1alpha1.Article{}
	a.Namespace, a.Name = "w", fmt.Sprintf("0198%04x-%04x-7000-8000-00000000beef", i>>16, i&0xffff)
	a.CreationTimestamp, a.Spec.SiteRef.Name, a.Spec.Stage = metav1.NewTime(benchBegan), "main", v1alpha1.StageReview
	a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail running shoes"}
	a.Status.Phase, a.Status.Slug = v1alpha1.PhaseReview, "trail-running-shoes"
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: a.Name + "-1", Number: 1, Digest: "sha256:32b2e5a9cb4d8e0c7f0e9fcc4db3abdd12b80e31c50115e7d2889fa925268bb1",
		Title: fmt.Sprintf("Trail running shoes for wet rock, part %d", i), SEOScore: 83,
	}
	return a
}

// benchID is the _id of the n-th article.
func benchID(n int) string { return fmt.Sprintf("0198%04x%04x00000000beef", n>>16, n&0xffff) }

// The page with a list of 50: at most 3 times what its JSON takes at 10,000 articles, and at most 1.2 times as long at 100,000 and on the
// last page. The requests take turns, so that the garbage collector and other programs disturb all alike. The cold pages have rows that
// have not been made before.
func BenchmarkPageOf50(b *testing.B) {
	const rounds, first = 2000, "/app/w/w/articles?status=all"
	few, many := benchServer(b, 10_000, clock.RealClock{}), benchServer(b, 100_000, clock.RealClock{})
	json, page := &timed{handler: few, path: always("/v1/api/blogs?limit=50")}, &timed{handler: few, path: always(first)}
	at100k, last := &timed{handler: many, path: always(first)}, &timed{handler: many, path: always(first + "&before=" + benchID(50))}
	cold := &timed{handler: many, path: func(n int) string { return first + "&before=" + benchID(99_999-n%1900*50) }}
	for _, a := range []*timed{page, at100k, last, cold} {
		got := httptest.NewRecorder()
		if a.handler.ServeHTTP(got, benchRequest(b, a.path(1))); strings.Count(got.Body.String(), `<tr id="a-`) != 50 {
			b.Fatalf("%s has not 50 rows: %s", a.path(1), got.Body)
		}
	}
	for b.Loop() {
		for n := range rounds {
			for _, a := range []*timed{json, page, at100k, last, cold} {
				a.once(b, n)
			}
		}
	}
	for percent, unit := range map[int]string{50: "p50", 99: "p99"} {
		b.ReportMetric(json.percentile(percent), "ms-json-"+unit)
		b.ReportMetric(page.percentile(percent), "ms-page-"+unit)
		b.ReportMetric(page.percentile(percent)/json.percentile(percent), "x-of-json-"+unit)
		b.ReportMetric(cold.percentile(percent)/json.percentile(percent), "x-of-json-cold-"+unit)
		b.ReportMetric(at100k.percentile(percent)/page.percentile(percent), "x-at-100k-"+unit)
		b.ReportMetric(last.percentile(percent)/page.percentile(percent), "x-last-page-"+unit)
	}
}

// What a page of 50 takes by itself, beside its JSON: allocations do not depend on how busy the machine is.
func BenchmarkOnePageOf50(b *testing.B) {
	const articles, first = 5000, "/app/w/w/articles?status=all"
	handler := benchServer(b, articles, clock.RealClock{})
	for name, path := range map[string]func(n int) string{
		"json": always("/v1/api/blogs?limit=50"), "page": always(first),
		"cold": func(n int) string { return first + "&before=" + benchID(articles-1-n%90*50) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				handler.ServeHTTP(&nowhere{header: http.Header{}}, benchRequest(b, path(n)))
			}
		})
	}
}
