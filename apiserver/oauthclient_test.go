package apiserver_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"

	"github.com/pressroom-dev/pressroom/internal/credential"
)

const callback = "https://tool.example/callback?from=pressroom"

// oauthClient is an app of somebody else's, registered over the REST API, which uses golang.org/x/oauth2 as it is.
type oauthClient struct {
	oauth2.Config
	tenant *tenant
}

// newOAuthClient has a tenant register an app that may ask for everything.
func newOAuthClient(t *tenant, r *replica) *oauthClient {
	GinkgoHelper()
	got := r.ask(t, "POST", "/v1/api/oauth/clients", map[string]any{
		"name": "Newsletter tool", "redirect_uris": []string{callback}, "scopes": []string{"read", "write", "approve"},
	})
	Expect(got.Status).To(Equal(201), got.Raw)
	return &oauthClient{tenant: t, Config: oauth2.Config{
		ClientID: got.Text("client_id"), ClientSecret: got.Text("client_secret"), RedirectURL: callback,
	}}
}

// on is the tool's configuration with a replica.
func (o *oauthClient) on(r *replica) *oauth2.Config {
	c := o.Config
	c.Endpoint = oauth2.Endpoint{AuthURL: "/oauth/consent", TokenURL: r.URL + "/v1/public/oauth/token"}
	return &c
}

// flow is one consent with what comes of it.
type flow struct {
	client            *oauthClient
	code, verifier    string
	state, issuer     string
	session, returned string
}

// consent sends a person with an API key to the consent page, where they let the tool in with these ticks.
func (o *oauthClient) consent(r *replica, ticks url.Values) flow {
	GinkgoHelper()
	f := flow{client: o, verifier: oauth2.GenerateVerifier(), state: oauth2.GenerateVerifier() + " &=%"}
	path := o.on(r).AuthCodeURL(f.state, oauth2.S256ChallengeOption(f.verifier), oauth2.SetAuthURLParam("scope", "read write approve"))
	b := newBrowser(r)
	b.signIn(path, o.tenant.Key)
	to := b.approve(path, ticks)
	Expect(to.Scheme + "://" + to.Host + to.Path).To(Equal("https://tool.example/callback"))
	for _, value := range b.Cookies {
		f.session = value
	}
	query := to.Query()
	f.code, f.returned, f.issuer = query.Get("code"), query.Get("state"), query.Get("iss")
	return f
}

// allTicks are the ticks of a person who gives everything.
var allTicks = url.Values{"scope": {"read", "write", "approve"}, "reach": {"all"}}

// exchange exchanges the code.
func (f flow) exchange(r *replica) (*oauth2.Token, error) {
	return f.client.on(r).Exchange(context.Background(), f.code, oauth2.VerifierOption(f.verifier))
}

// token exchanges the code, which works.
func (f flow) token(r *replica) string {
	GinkgoHelper()
	got, err := f.exchange(r)
	Expect(err).NotTo(HaveOccurred())
	return got.AccessToken
}

// grantOf is the name of the grant of a token.
func grantOf(token string) string {
	GinkgoHelper()
	c, err := credential.Parse(token)
	Expect(err).NotTo(HaveOccurred())
	return c.ID
}

// statusWith is the status that a replica answers to a token with.
func (t *tenant) statusWith(r *replica, token string) int {
	GinkgoHelper()
	return r.ask(t.with(token), http.MethodGet, "/v1/api/sites", nil).Status
}

var _ = Describe("An app", func() {
	It("is changed in part, and keeps its id, its secret and the access that people have given", func() {
		replicas := startReplicas()
		t := newTenant(replicas...)
		r := replicas[0]
		o := newOAuthClient(t, r)
		token := o.consent(r, allTicks).token(r)
		path := "/v1/api/oauth/clients/" + o.ClientID
		read := r.ask(t, "GET", path, nil)
		body := map[string]any{"name": "Newsroom", "redirect_uris": []string{callback, callback + "/2"}, "logo_url": "https://tool.example/logo.svg"}
		changed := r.ask(t, "PATCH", path, body, "If-Match", read.Header.Get("ETag"))
		Expect(changed.Status).To(Equal(200), changed.Raw)
		Expect(changed.Body).To(And(HaveKeyWithValue("name", "Newsroom"), HaveKeyWithValue("logo_url", "https://tool.example/logo.svg"),
			HaveKeyWithValue("redirect_uris", []any{callback, callback + "/2"}), HaveKeyWithValue("scopes", []any{"read", "write", "approve"}),
			HaveKeyWithValue("client_id", o.ClientID), Not(HaveKey("client_secret"))))
		Expect(r.ask(t, "PATCH", path, body, "If-Match", read.Header.Get("ETag"))).To(failing(412, "PRECONDITION_FAILED"))
		Expect(r.ask(t, "DELETE", path, nil, "If-Match", read.Header.Get("ETag"))).To(failing(412, "PRECONDITION_FAILED"))
		Expect(o.consent(r, allTicks).token(r)).NotTo(BeEmpty(), "its secret still works")
		Expect(r.ask(t, "PATCH", path, map[string]any{"logo_url": nil, "scopes": []string{"read"}}).Body).To(And(
			HaveKeyWithValue("logo_url", ""), HaveKeyWithValue("scopes", []any{"read"}), HaveKeyWithValue("name", "Newsroom")))

		Expect(r.ask(t.with(token), "GET", "/v1/api/whoami", nil).Status).To(Equal(200))
		for field, value := range map[string]any{"redirect_uris[0]": []string{"ftp://x"}, "client_type": "public", "name": ""} {
			Expect(r.ask(t, "PATCH", path, map[string]any{strings.TrimSuffix(field, "[0]"): value}).Fields()).To(Equal([]string{field}))
		}
		Expect(r.ask(newTenant(replicas...), "PATCH", path, body)).To(failing(404, "NOT_FOUND"))
	})
})
