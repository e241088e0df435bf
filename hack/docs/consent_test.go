package docs

import (
	"net/http"
	"net/http/httputil"
	"net/url"

	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// consent does in a browser what a person does at an address of the consent page: sign in with the API key, and let the app in with scopes.
// It returns where the browser is sent to.
func (r *reader) consent(address string, scopes ...string) *url.URL {
	r.Helper()
	page, err := url.Parse(address)
	must(r.T, err)
	facade, err := url.Parse(r.APIURL())
	must(r.T, err)
	b := testkit.NewBrowser(r.T, &httputil.ReverseProxy{Rewrite: func(q *httputil.ProxyRequest) { q.SetURL(facade) }})
	path := page.RequestURI()
	b.Post("/oauth/sign-in", url.Values{"return": {b.Hidden(b.Get(path), "return")}, "key": {r.APIKey}})
	answer := b.Post("/oauth/consent", url.Values{
		"ticket": {b.Hidden(b.Get(path), "ticket")}, "decision": {"approve"}, "scope": scopes, "reach": {"all"},
	})
	if answer.Code != http.StatusSeeOther {
		r.Fatalf("the consent page answers %d: %s", answer.Code, answer.Body)
	}
	to, err := url.Parse(answer.Header().Get("Location"))
	must(r.T, err)
	return to
}
