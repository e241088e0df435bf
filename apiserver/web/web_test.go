package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/web"
)

func router(t *testing.T) http.Handler {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	web.Mount(r, []byte(`{"openapi":"3.1.0"}`), web.PagePath)
	return r
}

func get(t *testing.T, h http.Handler, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	q := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	maps.Copy(q.Header, header)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w
}

func TestTheRootLeadsToThePage(t *testing.T) {
	got := get(t, router(t), "/", nil)
	if got.Code != http.StatusFound || got.Header().Get("Location") != "/docs" {
		t.Errorf("got %d to %q, want 302 to /docs", got.Code, got.Header().Get("Location"))
	}
}

func TestThePageLoadsNothingFromElsewhere(t *testing.T) {
	h := router(t)
	page := get(t, h, "/docs", nil)
	if page.Code != http.StatusOK || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("got %d %s", page.Code, page.Header().Get("Content-Type"))
	}
	links := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page.Body.String(), -1)
	if len(links) < 4 {
		t.Fatalf("the page has %d links, want its scripts and styles", len(links))
	}
	for _, link := range links {
		if !strings.HasPrefix(link[1], "/") || strings.HasPrefix(link[1], "//") {
			t.Errorf("the page loads %q from elsewhere", link[1])
		}
		if got := get(t, h, link[1], nil); got.Code != http.StatusOK || got.Body.Len() == 0 {
			t.Errorf("%s: got %d with %d bytes", link[1], got.Code, got.Body.Len())
		}
	}
	start := get(t, h, "/docs/start.js", nil).Body.String()
	if !strings.Contains(start, "validatorUrl: null") || strings.Contains(start, "http") {
		t.Errorf("the page asks a validator elsewhere: %s", start)
	}
	if css := get(t, h, "/docs/swagger-ui.css", nil).Body.String(); regexp.MustCompile(`url\(["']?https?:|@import`).MatchString(css) {
		t.Error("the styles load something from elsewhere")
	}
}

func TestThePolicyAllowsNothingFromElsewhere(t *testing.T) {
	policy := get(t, router(t), "/docs", nil).Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self';", "connect-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %q: %s", want, policy)
		}
	}
	if strings.Contains(policy, "http") || strings.Contains(policy, "*") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy allows others: %s", policy)
	}
}

func TestTheDocumentIsServedAndKeptByBrowsers(t *testing.T) {
	h := router(t)
	first := get(t, h, "/openapi.json", nil)
	if first.Code != http.StatusOK || first.Body.String() != `{"openapi":"3.1.0"}` || first.Header().Get("Content-Type") != "application/json" {
		t.Errorf("got %d %s %q", first.Code, first.Header().Get("Content-Type"), first.Body)
	}
	again := get(t, h, "/openapi.json", http.Header{"If-None-Match": {first.Header().Get("ETag")}})
	if again.Code != http.StatusNotModified {
		t.Errorf("got %d, want 304", again.Code)
	}
}
