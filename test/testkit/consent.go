package testkit

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// Consent does in a browser what a person does at an address of the consent page of a running facade: sign in with an API key, and let the
// client in with scopes, in all workspaces that the key opens. It returns where the browser is sent to, which has a code.
func Consent(tb testing.TB, address, key string, scopes ...string) *url.URL {
	tb.Helper()
	page, err := url.Parse(address)
	if err != nil {
		tb.Fatal(err)
	}
	facade := &url.URL{Scheme: page.Scheme, Host: page.Host}
	b := NewBrowser(tb, &httputil.ReverseProxy{Rewrite: func(q *httputil.ProxyRequest) { q.SetURL(facade) }})
	path := page.RequestURI()
	b.Submit(b.Get(path), "/oauth/sign-in", url.Values{"key": {key}})
	form, decision := b.Get(path), url.Values{"decision": {"approve"}, "scope": scopes}
	// Who is limited to some workspaces is asked about these alone, and all of them are ticked.
	if strings.Contains(form.Body.String(), `name="reach"`) {
		decision.Set("reach", "all")
	}
	got := b.Submit(form, "/oauth/consent", decision)
	to, err := url.Parse(got.Header().Get("Location"))
	if err != nil || got.Code != http.StatusSeeOther || !to.Query().Has("code") {
		tb.Fatalf("the person is sent to %v with %d, %v: %s", to, got.Code, err, Main(got))
	}
	return to
}
