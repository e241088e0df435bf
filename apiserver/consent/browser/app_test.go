//go:build e2e

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"
)

// state is one that needs care: blanks, and what means something in a query.
const state = "s t&a=te%;ü"

// app is a third-party tool on loopback, which speaks OAuth with the library that most of them in Go use.
type app struct {
	url, clientID, secret string
	// verifier of PKCE.
	verifier string
}

// register registers an app of the account over the REST API, and runs it.
func (a *account) register() *app {
	GinkgoHelper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if q.URL.Path == "/frame" {
			fmt.Fprintf(w, `<!doctype html><title>frame</title><iframe src="%s"></iframe>`, q.URL.Query().Get("of"))
			return
		}
		if q.URL.Path == "/popup" {
			fmt.Fprint(w, `<!doctype html><title>popup</title>
				<button onclick="open(new URLSearchParams(location.search).get('of'), '', 'popup')">Connect</button>
				<script>onmessage = e => { document.body.append(Object.assign(document.createElement("p"), {id: "told", textContent: e.data})) }</script>`)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>app</title><p id="arrived">arrived</p>`)
		if q.URL.Path == "/script" {
			fmt.Fprint(w, `<script>document.getElementById("arrived").textContent = "with scripts"</script>`)
		}
	}))
	DeferCleanup(server.Close)
	t := &app{url: server.URL, verifier: oauth2.GenerateVerifier()}
	status, answer := a.call(byKey, http.MethodPost, "/v1/api/oauth/clients", map[string]any{
		"name": "Newsletter Studio", "redirect_uris": []string{t.callback()}, "scopes": []string{"read", "write", "approve"},
		"home_url": "https://studio.example/", "policy_url": "https://studio.example/privacy", "terms_url": "https://studio.example/terms",
	})
	Expect(status).To(Equal(http.StatusCreated), fmt.Sprint(answer))
	t.clientID, t.secret = answer["client_id"].(string), answer["client_secret"].(string)
	return t
}

func (t *app) callback() string { return t.url + "/callback?tenant=a%20b" }

func (t *app) config(f *facade) *oauth2.Config {
	return &oauth2.Config{
		ClientID: t.clientID, ClientSecret: t.secret, RedirectURL: t.callback(), Scopes: []string{"read", "write", "approve"},
		Endpoint: oauth2.Endpoint{AuthURL: f.url + "/oauth/consent", TokenURL: f.url + "/v1/public/oauth/token"},
	}
}

// consentURL returns the address at which the app asks for access.
func (t *app) consentURL(f *facade) string {
	return t.config(f).AuthCodeURL(state, oauth2.S256ChallengeOption(t.verifier))
}

// token exchanges a code.
func (t *app) token(f *facade, code string) *oauth2.Token {
	GinkgoHelper()
	token, err := t.config(f).Exchange(context.WithValue(ctx, oauth2.HTTPClient, plain), code, oauth2.VerifierOption(t.verifier))
	Expect(err).NotTo(HaveOccurred())
	return token
}

// parameters are what an address that the app was reached at has beside the registered query, which must be there as it is.
func (t *app) parameters(address string) url.Values {
	GinkgoHelper()
	added, ok := strings.CutPrefix(address, t.callback()+"&")
	Expect(ok).To(BeTrue(), address)
	q, err := url.ParseQuery(added)
	Expect(err).NotTo(HaveOccurred())
	return q
}
