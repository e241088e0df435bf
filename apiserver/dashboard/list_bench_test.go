package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

var benchScopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}

// benchPeople have all signed in, and benchKeys all work.
type (
	benchPeople struct{}
	benchKeys   struct{}
)

func (benchPeople) Person(*gin.Context) (login.Person, error) {
	return login.Person{ID: "mara@acme.example", By: "mara@acme.example", Account: "acme", Scopes: benchScopes, SessionID: "s"}, nil
}

func (p benchPeople) Require(c *gin.Context, _ string, _ login.Prompt) (login.Person, bool) {
	person, err := p.Person(c)
	return person, err == nil
}

func (benchKeys) Authenticate(context.Context, string) (auth.Principal, error) {
	return auth.Principal{ID: "k", Account: "acme", Scopes: benchScopes}, nil
}

// benchServer serves the pages and the REST API from an index of so many articles, as the facade does.
func benchServer(b *testing.B, articles int) http.Handler {
	b.Helper()
	x := index.New(index.Options{Phase: lifecycle.Phase, Clock: clock.RealClock{}})
	n := index.NamespaceMetadata()
	n.Name, n.Labels = "w", map[string]string{v1alpha1.AccountLabel: "acme"}
	x.NamespaceHandler().OnAdd(n, true)
	site := &v1alpha1.Site{}
	site.Namespace, site.Name, site.Spec.Domain = "w", "main", "blog.example.com"
	x.SiteHandler().OnAdd(site, true)
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range articles {
		a := &v1alpha1.Article{}
		a.Namespace, a.Name = "w", fmt.Sprintf("0198%04x-%04x-7000-8000-00000000beef", i>>16, i&0xffff)
		a.CreationTimestamp, a.Spec.SiteRef.Name, a.Spec.Stage = metav1.NewTime(began), "main", v1alpha1.StageReview
		a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail running shoes"}
		a.Status.Phase, a.Status.Slug = v1alpha1.PhaseReview, "trail-running-shoes"
		a.Status.Revision = &v1alpha1.CurrentRevision{
			Name: a.Name + "-1", Number: 1, Digest: "sha256:32b2e5a9cb4d8e0c7f0e9fcc4db3abdd12b80e31c50115e7d2889fa925268bb1",
			Title: fmt.Sprintf("Trail running shoes for wet rock, part %d", i), SEOScore: 83,
		}
		x.ArticleHandler().OnAdd(a, true)
	}
	line, err := seal.NewKey()
	if err != nil {
		b.Fatal(err)
	}
	keys, err := seal.ParseKeys([]byte(line))
	if err != nil {
		b.Fatal(err)
	}
	frame, err := pages.New(pages.Options{Keys: keys, Clock: clock.RealClock{}, Log: logr.Discard()})
	if err != nil {
		b.Fatal(err)
	}
	local := &rest.Local{}
	board, err := dashboard.New(dashboard.Options{Frame: frame, Login: benchPeople{}, API: local, Watch: x.Watch, Clock: clock.RealClock{}, Log: logr.Discard()})
	if err != nil {
		b.Fatal(err)
	}
	handler, err := rest.New(rest.Deps{
		Authenticator: benchKeys{}, Index: x, Synced: func() bool { return true }, Clock: clock.RealClock{}, Log: logr.Discard(),
		Registry: prometheus.NewRegistry(), Limits: rest.Limits{RequestsPerSecond: 1e9, RequestBurst: 1e9}, Local: local,
		Mounts: []func(gin.IRouter){board.Mount},
	})
	if err != nil {
		b.Fatal(err)
	}
	return handler
}

// percentile99 returns how long it takes to answer a path, of 500 requests all but the slowest five, in milliseconds.
func percentile99(b *testing.B, handler http.Handler, path string) float64 {
	b.Helper()
	const requests = 500
	times := make([]time.Duration, 0, requests)
	for range requests {
		q := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, http.NoBody)
		q.Header.Set("x-api-key", "k")
		q.Header.Set("x-workspace-id", "w")
		recorder := httptest.NewRecorder()
		began := time.Now()
		handler.ServeHTTP(recorder, q)
		times = append(times, time.Since(began))
		if recorder.Code != http.StatusOK {
			b.Fatalf("%s: got %d: %s", path, recorder.Code, recorder.Body)
		}
	}
	slices.Sort(times)
	return float64(times[len(times)*99/100].Microseconds()) / 1000
}

// The page with a list of 50: at most 3 times what its JSON takes at 10,000 articles, and at most 1.2 times as long at 100,000 and on the
// last page.
func BenchmarkPageOf50(b *testing.B) {
	few, many := benchServer(b, 10_000), benchServer(b, 100_000)
	const first, last = "/app/w/w/articles?status=all", "/app/w/w/articles?status=all&before=01980000003200000000beef"
	for b.Loop() {
		json := percentile99(b, few, "/v1/api/blogs?limit=50")
		page := percentile99(b, few, first)
		b.ReportMetric(json, "ms-p99-json")
		b.ReportMetric(page, "ms-p99")
		b.ReportMetric(page/json, "x-of-json")
		b.ReportMetric(percentile99(b, many, first)/page, "x-at-100k")
		b.ReportMetric(percentile99(b, many, last)/page, "x-last-page")
	}
}
