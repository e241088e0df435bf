package logintest

import (
	"crypto/rand"
	"crypto/rsa"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/login/oidc"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// timeout bounds one request to the issuer.
const timeout = 10 * time.Second

// issuerKey signs for all issuers: making one takes longer than everything else here.
var issuerKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// NewOrganisation returns a Site that signs people in at a real OpenID Connect issuer on this machine, where Mara is a member of
// the account acme.
func NewOrganisation(tb testing.TB) (*Site, *mockoidc.MockOIDC) {
	tb.Helper()
	issuer := startIssuer(tb)
	provider, err := oidc.New(oidc.Options{
		Issuer: issuer.Issuer(), ClientID: issuer.ClientID, ClientSecret: issuer.ClientSecret, Clock: clock.RealClock{},
		RedirectURL: "https://app.pressroom.example" + login.CallbackPath, Client: egress.NewPrivateClient(timeout),
	})
	if err != nil {
		tb.Fatal(err)
	}
	s := New(tb, Options{Login: func(o *login.Options) { o.Provider = provider }})
	s.Members = []login.Membership{{Account: "acme", AccountName: "Acme Outdoors", Groups: []string{"editors"}}}
	s.People["mara@acme.exampleacme"] = login.Person{
		ID: "mara@acme.example", Name: "mara@acme.example", Account: "acme", AccountName: "Acme Outdoors",
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
	}
	return s, issuer
}

func startIssuer(tb testing.TB) *mockoidc.MockOIDC {
	tb.Helper()
	key, err := issuerKey()
	if err != nil {
		tb.Fatal(err)
	}
	issuer, err := mockoidc.NewServer(key)
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	if err := issuer.Start(listener, nil); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := issuer.Shutdown(); err != nil {
			tb.Error(err)
		}
	})
	return issuer
}

// Mara is a user of the issuer.
func Mara() *mockoidc.MockUser {
	return &mockoidc.MockUser{Subject: "1", Email: "mara@acme.example", EmailVerified: true, Groups: []string{"editors", "unknown"}}
}

// JoinBeta makes Mara a member of a second account, so that she has to choose one.
func (s *Site) JoinBeta() {
	s.Members = append(s.Members, login.Membership{Account: "beta", AccountName: "Beta \u202eBooks", Groups: []string{"editors", "board"}})
	s.People["mara@acme.examplebeta"] = login.Person{
		ID: "mara@acme.example", Name: "Mara", Account: "beta", AccountName: "Beta Books", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
	}
}

// AtIssuer signs a user in at the issuer, beginning at a page of the facade, and returns the address that the issuer sends the browser
// back to. change edits the query of the request to the issuer.
func (s *Site) AtIssuer(issuer *mockoidc.MockOIDC, user *mockoidc.MockUser, page string, change ...func(url.Values)) string {
	s.T.Helper()
	issuer.QueueUser(user)
	sent := s.Submit(s.Get(page), login.ProviderPath, nil)
	to, err := url.Parse(sent.Header().Get("Location"))
	if sent.Code != http.StatusSeeOther || err != nil || !strings.HasPrefix(to.String(), issuer.AuthorizationEndpoint()) {
		s.T.Fatalf("going to the issuer: %d to %s: %s", sent.Code, to, sent.Body)
	}
	q := to.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("nonce") == "" || len(q.Get("state")) < 20 {
		s.T.Errorf("the issuer is asked with %v", q)
	}
	for _, c := range change {
		c(q)
	}
	to.RawQuery = q.Encode()
	return s.back(to.String())
}

// back asks the issuer, and returns where it sends the browser.
func (s *Site) back(at string) string {
	s.T.Helper()
	q, err := http.NewRequestWithContext(s.T.Context(), http.MethodGet, at, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	answer, err := egress.NewPrivateClient(timeout).Do(q)
	if err != nil {
		s.T.Fatal(err)
	}
	defer answer.Body.Close()
	to, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || to.Path != login.CallbackPath {
		s.T.Fatalf("the issuer answers %d to %s", answer.StatusCode, to)
	}
	return to.RequestURI()
}

// TicketFor returns the ticket of the form that chooses an account.
func (s *Site) TicketFor(page string, account string) string {
	s.T.Helper()
	before, _, ok := strings.Cut(page, "<bdi>"+account+"</bdi>")
	i := strings.LastIndex(before, `name="ticket" value="`)
	if !ok || i < 0 {
		s.T.Fatalf("%s cannot be chosen: %s", account, page)
	}
	ticket, _, _ := strings.Cut(before[i+len(`name="ticket" value="`):], `"`)
	return ticket
}
