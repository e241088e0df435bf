package testkit

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"testing"
)

// Consent signs a person in with an API key on the pages of a running facade, who lets a client in, and returns the code that the client
// gets. The request is the query of the consent page; the person grants the scopes read and write in all workspaces.
func Consent(tb testing.TB, facade, key string, request url.Values) (code string) {
	tb.Helper()
	target, err := url.Parse(facade)
	if err != nil {
		tb.Fatal(err)
	}
	b := NewBrowser(tb, &httputil.ReverseProxy{Rewrite: func(q *httputil.ProxyRequest) { q.SetURL(target) }})
	path := "/oauth/consent?" + request.Encode()
	b.Post("/oauth/sign-in", url.Values{"return": {b.Hidden(b.Get(path), "return")}, "key": {key}})
	got := b.Post("/oauth/consent", url.Values{
		"ticket": {b.Hidden(b.Get(path), "ticket")}, "decision": {"approve"}, "scope": {"read", "write"}, "reach": {"all"},
	})
	to, err := url.Parse(got.Header().Get("Location"))
	if err != nil || got.Code != http.StatusSeeOther || to.Query().Get("code") == "" {
		tb.Fatalf("the person is sent to %v with %d, %v: %s", to, got.Code, err, Main(got))
	}
	return to.Query().Get("code")
}
