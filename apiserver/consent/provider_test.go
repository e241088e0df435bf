package consent_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oidc"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// organisation is a real OpenID Connect issuer on this machine, and the pages that ask it.
func organisation(t *testing.T) (*world, *mockoidc.MockOIDC) {
	t.Helper()
	issuer, err := mockoidc.Run()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := issuer.Shutdown(); err != nil {
			t.Error(err)
		}
	})
	provider, err := oidc.New(oidc.Options{
		Issuer: issuer.Issuer(), ClientID: issuer.ClientID, ClientSecret: issuer.ClientSecret,
		RedirectURL: "https://app.pressroom.example" + consent.CallbackPath, Client: egress.NewPrivateClient(10 * time.Second), Clock: clock.RealClock{},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(d *consent.Deps) { d.Provider = provider })
	w.members = []people.Membership{{Account: "acme", AccountName: "Acme Outdoors", Groups: []string{"editors"}}}
	w.people["mara@acme.exampleacme"] = people.Person{
		ID: "mara@acme.example", Name: "mara@acme.example", Account: "acme", AccountName: "Acme Outdoors", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
	}
	return w, issuer
}

func mara() *mockoidc.MockUser {
	return &mockoidc.MockUser{Subject: "1", Email: "mara@acme.example", EmailVerified: true, Groups: []string{"editors", "unknown"}}
}

// depart goes to the issuer, as far as the address that it sends the browser back to.
func depart(t *testing.T, w *world, issuer *mockoidc.MockOIDC, user *mockoidc.MockUser) string {
	t.Helper()
	issuer.QueueUser(user)
	page := w.get(asking())
	leaving := w.post(consent.ProviderPath, url.Values{"return": {hidden(t, page, "return")}})
	to, err := url.Parse(leaving.Header().Get("Location"))
	if leaving.Code != http.StatusSeeOther || err != nil || !strings.HasPrefix(to.String(), issuer.AuthorizationEndpoint()) {
		t.Fatalf("leaving: %d to %s: %s", leaving.Code, to, leaving.Body)
	}
	q := to.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("nonce") == "" || len(q.Get("state")) < 20 {
		t.Errorf("the issuer is asked with %v", q)
	}
	return back(t, to.String())
}

func back(t *testing.T, at string) string {
	t.Helper()
	client := egress.NewPrivateClient(10 * time.Second)
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	to, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || to.Path != consent.CallbackPath {
		t.Fatalf("the issuer answers %d to %s", answer.StatusCode, to)
	}
	return to.RequestURI()
}

func TestSigningInByOpenIDConnect(t *testing.T) {
	w, issuer := organisation(t)
	got := w.get(depart(t, w, issuer, mara()))
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() {
		t.Fatalf("got %d to %s: %s", got.Code, got.Header().Get("Location"), text(got))
	}
	if len(w.cookies) != 1 {
		t.Errorf("the trip's cookie stays: %v", w.cookies)
	}
	q := httptest.NewRequest(http.MethodGet, "/", nil)
	q.AddCookie(&http.Cookie{Name: session.CookieName, Value: w.cookies[session.CookieName]})
	s, ok := w.store.Read(q)
	if !ok || s.Email != "mara@acme.example" || s.Account != "acme" || !reflect.DeepEqual(s.Groups, []string{"editors"}) || s.Issuer != issuer.Issuer() {
		t.Errorf("the session is %+v", s)
	}
	sent(t, approve(t, w, asking(), func(f url.Values) { f["scope"] = []string{"read"} }), callback)
	if len(w.created) != 1 || w.created[0].Person != "mara@acme.example" {
		t.Errorf("created %+v", w.created)
	}
}

func TestASignInThatTheIssuerDoesNotVouchForIsRefused(t *testing.T) {
	unverified := mara()
	unverified.EmailVerified = false
	nameless := mara()
	nameless.Email = ""
	tests := []struct {
		name     string
		user     *mockoidc.MockUser
		change   func(w *world, path string) string
		wantCode int
	}{
		{"as it is", mara(), nil, http.StatusSeeOther},
		{"the address is not verified", unverified, nil, http.StatusUnauthorized},
		{"there is no address", nameless, nil, http.StatusUnauthorized},
		{"not a member", mara(), func(w *world, path string) string { w.members = nil; return path }, http.StatusForbidden},
		{"another browser", mara(), func(w *world, path string) string { clear(w.cookies); return path }, http.StatusBadRequest},
		{"another state", mara(), func(_ *world, path string) string { return strings.Replace(path, "state=", "state=x", 1) }, http.StatusBadRequest},
		{"another code", mara(), func(_ *world, path string) string { return strings.Replace(path, "code=", "code=x", 1) }, http.StatusUnauthorized},
		{"no code", mara(), func(_ *world, path string) string { return strings.Replace(path, "code=", "error=", 1) }, http.StatusUnauthorized},
		{"after too long", mara(), func(w *world, path string) string { w.clock.SetTime(start.Add(10 * time.Minute)); return path }, http.StatusBadRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, issuer := organisation(t)
			path := depart(t, w, issuer, tt.user)
			if tt.change != nil {
				path = tt.change(w, path)
			}
			got := w.get(path)
			if got.Code != tt.wantCode {
				t.Errorf("got %d, want %d: %s", got.Code, tt.wantCode, text(got))
			}
			if _, in := w.cookies[session.CookieName]; in != (tt.wantCode == http.StatusSeeOther) {
				t.Errorf("signed in: %v", in)
			}
		})
	}
}

func TestAMemberOfSeveralAccountsChoosesOne(t *testing.T) {
	w, issuer := organisation(t)
	w.members = append(w.members, people.Membership{Account: "beta", AccountName: "Beta Books"})
	w.people["mara@acme.examplebeta"] = people.Person{ID: "mara@acme.example", Name: "Mara", Account: "beta", AccountName: "Beta Books", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}}
	arrived := w.get(depart(t, w, issuer, mara()))
	page := w.get(arrived.Header().Get("Location"))
	if !strings.Contains(text(page), "Acme Outdoors") || !strings.Contains(text(page), "Beta Books") {
		t.Fatalf("got %d %s", page.Code, text(page))
	}
	if strings.Contains(text(w.get(asking())), `name="scope"`) {
		t.Error("a request can be answered before an account is chosen")
	}
	back := hidden(t, page, "return")
	w.post(consent.AccountPath, url.Values{"return": {back}, "ticket": {"made up"}})
	if strings.Contains(text(w.get(asking())), `name="scope"`) {
		t.Error("an account is chosen without its ticket")
	}
	_, second, _ := strings.Cut(page.Body.String(), "Acme Outdoors")
	ticket, _, _ := strings.Cut(second[strings.Index(second, `name="ticket" value="`)+len(`name="ticket" value="`):], `"`)
	got := w.post(consent.AccountPath, url.Values{"return": {back}, "ticket": {ticket}})
	if got.Header().Get("Location") != asking() || !strings.Contains(text(w.get(asking())), "Beta Books") {
		t.Errorf("got %d to %s", got.Code, got.Header().Get("Location"))
	}
}

func TestAnIssuerThatIsAwayIsTold(t *testing.T) {
	w, issuer := organisation(t)
	if err := issuer.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if got := w.post(consent.ProviderPath, nil); got.Code != http.StatusServiceUnavailable {
		t.Errorf("got %d", got.Code)
	}
}
