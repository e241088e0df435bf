package consent_test

import (
	"context"
	"crypto/rand"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	clientID = "pr_ci_newsletter"
	callback = "https://app.example/callback?tenant=a%20b"
	issuer   = "https://api.pressroom.example"
)

// world is the pages with everything around them in memory.
type world struct {
	http.Handler

	t       *testing.T
	mu      sync.Mutex
	clock   *clocktesting.FakePassiveClock
	apps    map[string]*v1alpha1.OAuthClient
	created []oauth.GrantRequest
	grants  []v1alpha1.OAuthGrant
	revoked []string
	// lag is how many more times the list does not know yet of what was revoked.
	lag       int
	failGrant error
	// collected says that the grants which are still listed are gone.
	collected bool
	people    map[string]people.Person
	members   []people.Membership
	key       credential.Credential
	down      error
	authDown  error
	findDown  error
	rooms     []string
	store     session.Store
	cookies   map[string]string
}

func newWorld(t *testing.T, change ...func(*consent.Deps)) *world {
	t.Helper()
	key, err := credential.New(credential.APIKey, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	line, err := session.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := session.ParseKeys([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, clock: clocktesting.NewFakePassiveClock(start), key: key, cookies: map[string]string{}, rooms: []string{"acme-blog", "acme-shop"},
		apps: map[string]*v1alpha1.OAuthClient{clientID: {
			ObjectMeta: metav1.ObjectMeta{Name: "newsletter"},
			Spec: v1alpha1.OAuthClientSpec{
				DisplayName: "Newsletter Studio", RedirectURIs: []string{callback, "https://app.example/bare"},
				Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}, Type: v1alpha1.OAuthClientConfidential,
				HomeURL: "https://app.example/", PolicyURL: "https://app.example/privacy", TermsURL: "https://app.example/terms",
			},
		}},
	}
	w.people = map[string]people.Person{key.ID: {
		ID: "api-key:" + key.ID, Name: "Mara's key", Account: "acme", AccountName: "Acme Outdoors",
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove},
	}}
	w.store = session.Store{Keys: keys, Clock: w.clock}
	d := consent.Deps{
		Clients: w, Grants: w, Authenticator: w, People: w, Store: w.store, Issuer: func() string { return issuer },
		Workspaces: func(string) []string { return w.rooms }, Log: logr.Discard(),
	}
	for _, c := range change {
		c(&d)
	}
	pages, err := consent.New(d)
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	pages.Mount(r)
	w.Handler = r
	return w
}

// Get finds apps.
func (w *world) Get(_ context.Context, id string) (*v1alpha1.OAuthClient, error) {
	if w.down != nil {
		return nil, w.down
	}
	if app, ok := w.apps[id]; ok {
		return app, nil
	}
	return nil, oauth.ErrUnknownClient
}

// Create records a consent.
func (w *world) Create(_ context.Context, r oauth.GrantRequest) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failGrant != nil {
		return "", w.failGrant
	}
	w.created = append(w.created, r)
	return "pr_ac_code", nil
}

// List returns what one person granted.
func (w *world) List(_ context.Context, account, person string) ([]v1alpha1.OAuthGrant, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if account == "" || person == "" {
		w.t.Errorf("the grants of %q in %q are asked for", person, account)
	}
	var found []v1alpha1.OAuthGrant
	for _, g := range w.grants {
		known := slices.Contains(w.revoked, g.Name) && w.lag == 0
		if g.Spec.AccountRef.Name == account && g.Spec.Person == person && !known {
			found = append(found, g)
		}
	}
	if len(w.revoked) > 0 && w.lag > 0 {
		w.lag--
	}
	return found, nil
}

// Revoke ends a grant.
func (w *world) Revoke(_ context.Context, name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.revoked = append(w.revoked, name)
	if w.collected {
		return oauth.ErrUnknownGrant
	}
	return nil
}

// Authenticate takes the one key, and tokens as the real one does.
func (w *world) Authenticate(_ context.Context, given string) (auth.Principal, error) {
	if w.authDown != nil {
		return auth.Principal{}, w.authDown
	}
	c, err := credential.Parse(given)
	if err == nil && (given == w.key.Reveal() || c.Type == credential.AccessToken) {
		return auth.Principal{ID: c.ID, Account: "acme", Name: "x"}, nil
	}
	return auth.Principal{}, auth.ErrUnauthorized
}

// Find returns who is behind a session.
func (w *world) Find(_ context.Context, s session.Session) (people.Person, error) {
	if w.findDown != nil {
		return people.Person{}, w.findDown
	}
	if p, ok := w.people[s.KeyID+s.Email+s.Account]; ok && s.Email != "" {
		return p, nil
	}
	if p, ok := w.people[s.KeyID]; ok && s.KeyID != "" {
		return p, nil
	}
	return people.Person{}, people.ErrGone
}

// Memberships returns accounts.
func (w *world) Memberships(context.Context, string, []string) ([]people.Membership, error) {
	return w.members, nil
}

// get asks for a page with the cookies that the browser has.
func (w *world) get(path string) *httptest.ResponseRecorder {
	w.t.Helper()
	return w.do(httptest.NewRequest(http.MethodGet, path, nil))
}

// post sends a form as the browser does that has loaded it from us.
func (w *world) post(path string, form url.Values) *httptest.ResponseRecorder {
	w.t.Helper()
	q := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	return w.do(q)
}

func (w *world) do(q *http.Request) *httptest.ResponseRecorder {
	w.t.Helper()
	for name, value := range w.cookies {
		q.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	// Proxies take lines of 8 KB.
	if size := len(q.Header.Get("Cookie")); size > 7000 {
		w.t.Errorf("the browser has to send %d bytes of cookies", size)
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, q)
	for _, c := range answer.Result().Cookies() {
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
			c.Domain != "" || c.MaxAge == 0 || len(c.Name)+len(c.Value) > 4000 {
			w.t.Errorf("a cookie that is not as it must be: %s", c.Raw)
		}
		if c.MaxAge < 0 {
			delete(w.cookies, c.Name)
		} else {
			w.cookies[c.Name] = c.Value
		}
	}
	return answer
}

// signIn signs in with the key.
func (w *world) signIn() {
	w.t.Helper()
	answer := w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}})
	if answer.Code != http.StatusSeeOther {
		w.t.Fatalf("signing in: %d %s", answer.Code, answer.Body)
	}
}

// hidden returns the value of a hidden field.
func hidden(t *testing.T, page *httptest.ResponseRecorder, name string) string {
	t.Helper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(page.Body.String())
	if m == nil {
		t.Fatalf("the page (%d) has no field %s: %s", page.Code, name, text(page))
	}
	return html.UnescapeString(m[1])
}

// text returns the main part of a page.
func text(page *httptest.ResponseRecorder) string {
	_, body, _ := strings.Cut(page.Body.String(), "<main>")
	return body
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
		t.Fatalf("got %d to %q, want 303 to %s...: %s", answer.Code, location, to, text(answer))
	}
	added, err := url.ParseQuery(strings.TrimLeft(location[len(to):], "?&"))
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// problem follows an answer back to the page at path, by GET, and returns what that page finds wrong.
func (w *world) problem(answer *httptest.ResponseRecorder, path string) string {
	w.t.Helper()
	if answer.Code != http.StatusSeeOther || answer.Header().Get("Location") != path {
		w.t.Errorf("got %d to %q, want 303 to %q", answer.Code, answer.Header().Get("Location"), path)
		return ""
	}
	page := w.get(path)
	m := regexp.MustCompile(`role="alert" id="problem">([^<]*)<`).FindStringSubmatch(page.Body.String())
	if page.Code != http.StatusOK || m == nil {
		w.t.Errorf("the page (%d) names no problem: %s", page.Code, text(page))
		return ""
	}
	return html.UnescapeString(m[1])
}

// signedIn reports whether the browser holds a session.
func (w *world) signedIn() bool { return w.cookies[session.CookieName] != "" }
