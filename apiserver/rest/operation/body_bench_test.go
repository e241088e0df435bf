package operation_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// What a request with a body costs that changes nothing: the article has another text than the one that it names.
func BenchmarkRequestWithABody(b *testing.B) {
	api := operationtest.New(b)
	api.Deps.Limits.RequestsPerSecond, api.Deps.Limits.RequestBurst = 1e9, 1e9
	path := "/v1/api/blogs/" + api.Published().Name
	digest := `"digest":"sha256:` + strings.Repeat("0", 64) + `"`
	text := strings.Repeat(`A line of a text with \"quotes\".\n`, 6000)
	for _, c := range []struct{ name, method, path, body string }{
		{"decision", http.MethodPost, path + "/approve", `{"note":"Well done.",` + digest + `}`},
		{"text", http.MethodPatch, path, `{"title":"Shoes","content_markdown":"` + text + `","faq":[{"question":"Q?","answer":"A."}],"tags":["a","b"],` + digest + `}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.body)))
			b.ReportAllocs()
			for b.Loop() {
				q := httptest.NewRequestWithContext(b.Context(), c.method, c.path, strings.NewReader(c.body))
				q.Header.Set("x-api-key", operationtest.RightKey)
				q.Header.Set("x-workspace-id", operationtest.Workspace)
				q.Header.Set("Content-Type", "application/json")
				recorder := httptest.NewRecorder()
				if api.ServeHTTP(recorder, q); recorder.Code != http.StatusConflict {
					b.Fatalf("got %d: %s", recorder.Code, recorder.Body)
				}
			}
		})
	}
}
