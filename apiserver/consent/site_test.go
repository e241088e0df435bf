package consent_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/oauth2-proxy/mockoidc"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const (
	clientID = "pr_ci_newsletter"
	callback = "https://app.example/callback?tenant=a%20b"
	issuer   = "https://api.pressroom.example"
)

// site is the pages of consent on a site in memory, with the clients and grants behind them.
type site struct {
	*logintest.Site

	store *store
}

func newSite(t *testing.T) *site {
	t.Helper()
	return withConsent(logintest.New(t, logintest.Options{Login: homed}))
}

// newSiteWithKeys is newSite with keys of its own.
func newSiteWithKeys(t *testing.T, keys func(*clocktesting.FakePassiveClock) seal.Sealer) *site {
	t.Helper()
	return withConsent(logintest.New(t, logintest.Options{Login: homed, Keys: keys}))
}

// organisation is newSite where people sign in at an OpenID Connect issuer.
func organisation(t *testing.T) (*site, *mockoidc.MockOIDC) {
	t.Helper()
	s, issuer := logintest.NewOrganisation(t)
	return withConsent(s), issuer
}

// homed leads to the connected clients where nobody came from another page.
func homed(o *login.Options) { o.Home = consent.ConnectedPath }

func withConsent(s *logintest.Site) *site {
	s.T.Helper()
	s.Workspaces = []string{"acme-blog", "acme-shop"}
	site := &site{Site: s, store: &store{
		t: s.T, clients: map[string]*v1alpha1.OAuthClient{clientID: {
			ObjectMeta: metav1.ObjectMeta{Name: "newsletter"},
			Spec: v1alpha1.OAuthClientSpec{
				DisplayName: "Newsletter Studio", RedirectURIs: []string{callback, "https://app.example/bare"},
				Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}, Type: v1alpha1.OAuthClientConfidential,
				HomeURL: "https://app.example/", PolicyURL: "https://app.example/privacy", TermsURL: "https://app.example/terms",
			},
		}},
	}}
	pages := consent.New(consent.Options{
		Frame: s.Frame, Login: s.Login, Clients: site.store, Grants: site.store, Issuer: func() string { return issuer },
		Log: logr.Discard(),
	})
	pages.Mount(s.Router)
	return site
}

// store has clients and grants in memory.
type store struct {
	t       testing.TB
	mu      sync.Mutex
	clients map[string]*v1alpha1.OAuthClient
	// openedFor are the people for whom clients with a document were looked up.
	openedFor []string
	// created are the consents, and forms what they were given with.
	created []oauth.GrantRequest
	forms   []string
	grants  []v1alpha1.OAuthGrant
	revoked []string
	// lag is how many more times the list does not know yet of what was revoked.
	lag       int
	failGrant error
	// collected says that the grants which are still listed are gone.
	collected bool
	down      error
	// listedIn and createdIn are the contexts of the last calls.
	listedIn, createdIn context.Context
}

// Get finds clients.
func (s *store) Get(_ context.Context, id string) (*v1alpha1.OAuthClient, error) {
	if s.down != nil {
		return nil, s.down
	}
	if c, ok := s.clients[id]; ok {
		return c, nil
	}
	return nil, oauth.ErrUnknownClient
}

// Named finds clients by the names of their objects.
func (s *store) Named(_ context.Context, name string) (*v1alpha1.OAuthClient, error) {
	for _, c := range s.clients {
		if c.Name == name {
			return c, s.down
		}
	}
	return nil, oauth.ErrUnknownClient
}

// HasDocument knows the clients with a document by their ids.
func (s *store) HasDocument(id string) bool { return strings.HasPrefix(id, "https://") }

// Open finds a client with a document, and records for whom.
func (s *store) Open(ctx context.Context, id, account, person string) (*v1alpha1.OAuthClient, error) {
	s.openedFor = append(s.openedFor, account+"/"+person)
	return s.Get(ctx, id)
}

// Create records a consent.
func (s *store) Create(ctx context.Context, r oauth.GrantRequest) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.createdIn = ctx
	if s.failGrant != nil {
		return "", s.failGrant
	}
	if r.Form == "" || slices.Contains(s.forms, r.Form) {
		return "", oauth.ErrRepeated
	}
	s.forms = append(s.forms, r.Form)
	r.Form = ""
	s.created = append(s.created, r)
	return "pr_ac_code", nil
}

// List returns what one person granted.
func (s *store) List(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listedIn = ctx
	if account == "" || person == "" {
		s.t.Errorf("the grants of %q in %q are asked for", person, account)
	}
	var found []v1alpha1.OAuthGrant
	for _, g := range s.grants {
		known := slices.Contains(s.revoked, g.Name) && s.lag == 0
		if g.Spec.AccountRef.Name == account && g.Spec.Person == person && !known {
			found = append(found, g)
		}
	}
	if len(s.revoked) > 0 && s.lag > 0 {
		s.lag--
	}
	return found, nil
}

// Revoke ends a grant.
func (s *store) Revoke(_ context.Context, _, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked = append(s.revoked, name)
	if s.collected {
		return oauth.ErrUnknownGrant
	}
	return nil
}

// AwaitRevoked ends the lag of the list.
func (s *store) AwaitRevoked(context.Context, string, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lag = 0
}

// asking returns the address of a request, with changes to a right one: pairs of name and value, an empty value takes out.
func asking(pairs ...string) string {
	q := url.Values{"client_id": {clientID}, "redirect_uri": {callback}, "state": {"s t&a=te%"}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			q.Del(pairs[i])
			continue
		}
		q[pairs[i]] = append(slices.Clip(q[pairs[i]][:0:0]), pairs[i+1])
	}
	return consent.ConsentPath + "?" + q.Encode()
}

// sent returns the parameters that a redirect has added to the registered URI.
func sent(t *testing.T, answer *httptest.ResponseRecorder, to string) url.Values {
	t.Helper()
	location := answer.Header().Get("Location")
	if answer.Code != http.StatusSeeOther || !strings.HasPrefix(location, to) {
		t.Fatalf("got %d to %q, want 303 to %s...: %s", answer.Code, location, to, testkit.Main(answer))
	}
	added, err := url.ParseQuery(strings.TrimLeft(location[len(to):], "?&"))
	if err != nil {
		t.Fatal(err)
	}
	return added
}
