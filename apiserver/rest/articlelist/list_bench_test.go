package articlelist_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// What the JSON of a list of 50 costs at 10,000 articles: pages are measured against it.
func BenchmarkListOf50AsJSON(b *testing.B) {
	api := operationtest.New(b)
	api.Deps.Limits.RequestsPerSecond, api.Deps.Limits.RequestBurst = 1e9, 1e9
	for n := range 10_000 {
		api.Article(func(a *v1alpha1.Article) { operationtest.Aged(a, n) })
	}
	for b.Loop() {
		q := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/v1/api/blogs?limit=50", http.NoBody)
		q.Header.Set("x-api-key", operationtest.RightKey)
		q.Header.Set("x-workspace-id", operationtest.Workspace)
		recorder := httptest.NewRecorder()
		api.ServeHTTP(recorder, q)
		if recorder.Code != http.StatusOK {
			b.Fatalf("got %d: %s", recorder.Code, recorder.Body)
		}
	}
}
