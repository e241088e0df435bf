package rest_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// What the JSON of a list of 50 costs at 10,000 articles: pages are measured against it.
func BenchmarkListOf50AsJSON(b *testing.B) {
	api := newAPI(b)
	api.deps.Limits.RequestsPerSecond, api.deps.Limits.RequestBurst = 1e9, 1e9
	for n := range 10_000 {
		api.article(func(a *v1alpha1.Article) { aged(a, n) })
	}
	for b.Loop() {
		q := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/v1/api/blogs?limit=50", http.NoBody)
		q.Header.Set("x-api-key", rightKey)
		q.Header.Set("x-workspace-id", workspace)
		recorder := httptest.NewRecorder()
		api.ServeHTTP(recorder, q)
		if recorder.Code != http.StatusOK {
			b.Fatalf("got %d: %s", recorder.Code, recorder.Body)
		}
	}
}
