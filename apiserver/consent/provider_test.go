package consent_test

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
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

// anyIssuersKey signs for all issuers: making one takes longer than everything else here.
var anyIssuersKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func issuerKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := anyIssuersKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// organisation is a real OpenID Connect issuer on this machine, and the pages that ask it.
func organisation(t *testing.T) (*world, *mockoidc.MockOIDC) {
	t.Helper()
	issuer, err := mockoidc.NewServer(issuerKey(t))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := issuer.Start(listener, nil); err != nil {
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

// depart goes to the issuer, as far as the address that it sends the browser back to. change is done to what the issuer is
// asked with.
func depart(t *testing.T, w *world, issuer *mockoidc.MockOIDC, user *mockoidc.MockUser, change ...func(url.Values)) string {
	t.Helper()
	return departFor(t, w, issuer, user, asking(), change...)
}

// departFor does so from the page of a request.
func departFor(t *testing.T, w *world, issuer *mockoidc.MockOIDC, user *mockoidc.MockUser, request string, change ...func(url.Values)) string {
	t.Helper()
	issuer.QueueUser(user)
	page := w.get(request)
	leaving := w.post(consent.ProviderPath, url.Values{"return": {hidden(t, page, "return")}})
	to, err := url.Parse(leaving.Header().Get("Location"))
	if leaving.Code != http.StatusSeeOther || err != nil || !strings.HasPrefix(to.String(), issuer.AuthorizationEndpoint()) {
		t.Fatalf("leaving: %d to %s: %s", leaving.Code, to, leaving.Body)
	}
	q := to.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("nonce") == "" || len(q.Get("state")) < 20 {
		t.Errorf("the issuer is asked with %v", q)
	}
	for _, c := range change {
		c(q)
	}
	to.RawQuery = q.Encode()
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

// session is that of the browser.
func (w *world) session(t *testing.T) session.Session {
	t.Helper()
	q := httptest.NewRequest(http.MethodGet, "/", nil)
	q.AddCookie(&http.Cookie{Name: session.CookieName, Value: w.cookies[session.CookieName]})
	s, ok := w.store.Read(q)
	if !ok {
		t.Fatal("there is no session")
	}
	return s
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
	s := w.session(t)
	if s.Email != "mara@acme.example" || s.Account != "acme" || !reflect.DeepEqual(s.Groups, []string{"editors"}) || s.Issuer != issuer.Issuer() {
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
	set := func(name, value string) func(url.Values) { return func(q url.Values) { q.Set(name, value) } }
	replace := func(old, by string) func(*world, string) string {
		return func(_ *world, path string) string { return strings.Replace(path, old, by, 1) }
	}
	const notVouched, notYours = "not vouched for your e-mail address", "not yours, or took too long"
	tests := []struct {
		name string
		user *mockoidc.MockUser
		// leaving changes what the issuer is asked, arriving what happens before the browser is back.
		leaving  func(url.Values)
		arriving func(w *world, path string) string
		want     string
	}{
		{name: "as it is", user: mara()},
		{name: "at the last moment", user: mara(), arriving: func(w *world, path string) string {
			w.clock.SetTime(start.Add(10*time.Minute - time.Second))
			return path
		}},
		{name: "the address is not verified", user: unverified, want: notVouched},
		{name: "there is no address", user: nameless, want: notVouched},
		{name: "the answer to another sign-in", user: mara(), leaving: set("nonce", "another"), want: notVouched},
		{name: "another verifier", user: mara(), leaving: set("code_challenge", challenge), want: notVouched},
		{name: "another code", user: mara(), arriving: replace("code=", "code=x"), want: notVouched},
		{name: "no code", user: mara(), arriving: replace("code=", "error="), want: "has not signed you in"},
		{name: "not a member", user: mara(), arriving: func(w *world, path string) string {
			w.members = nil
			return path
		}, want: "mara@acme.example, which is not a member of any account"},
		{name: "another browser", user: mara(), arriving: func(w *world, path string) string {
			clear(w.cookies)
			return path
		}, want: notYours},
		{name: "another state", user: mara(), arriving: replace("state=", "state=x"), want: notYours},
		{name: "no state", user: mara(), arriving: replace("state=", "other="), want: notYours},
		{name: "another browser without a state", user: mara(), arriving: func(w *world, path string) string {
			clear(w.cookies)
			return strings.Replace(path, "state=", "other=", 1)
		}, want: notYours},
		{name: "after too long", user: mara(), arriving: func(w *world, path string) string {
			w.clock.SetTime(start.Add(10 * time.Minute))
			return path
		}, want: notYours},
		{name: "once more", user: mara(), arriving: func(w *world, path string) string {
			w.get(path)
			w.post(consent.SignOutPath, nil)
			return path
		}, want: notYours},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, issuer := organisation(t)
			var leaving []func(url.Values)
			if tt.leaving != nil {
				leaving = append(leaving, tt.leaving)
			}
			path := depart(t, w, issuer, tt.user, leaving...)
			if tt.arriving != nil {
				path = tt.arriving(w, path)
			}
			got := w.get(path)
			switch tt.want {
			case "":
				if got.Header().Get("Location") != asking() {
					t.Errorf("got %d to %q: %s", got.Code, got.Header().Get("Location"), text(got))
				}
			case notYours:
				if got.Code != http.StatusBadRequest || !strings.Contains(text(got), tt.want) {
					t.Errorf("got %d: %s", got.Code, text(got))
				}
			default:
				if problem := w.problem(got, asking()); !strings.Contains(problem, tt.want) {
					t.Errorf("got %q, want %q", problem, tt.want)
				}
			}
			if w.signedIn() != (tt.want == "") {
				t.Errorf("signed in: %v", w.signedIn())
			}
		})
	}
}

// longStates are of 2 KB, whose percent-encoding may take three times as much.
func longStates() map[string]string {
	noise := make([]byte, 2048)
	rand.Read(noise)
	return map[string]string{
		"letters": strings.Repeat("x", 2048), "what is encoded": strings.Repeat("=", 2048), "no text": strings.Repeat("\xff", 2048),
		"noise": string(noise),
	}
}

// longest is the longest redirect URI.
var longest = "https://app.example/" + strings.Repeat("x", 2048-len("https://app.example/"))

func TestALongStateComesBackFromTheIssuer(t *testing.T) {
	w, issuer := organisation(t)
	w.apps[clientID].Spec.RedirectURIs = append(w.apps[clientID].Spec.RedirectURIs, longest)
	for name, state := range longStates() {
		for _, redirect := range []string{callback, longest} {
			t.Run(name+" to "+redirect[:30], func(t *testing.T) {
				w.post(consent.SignOutPath, nil)
				request := asking("state", state, "redirect_uri", redirect, "code_challenge", challenge, "code_challenge_method", "S256", "scope", "read write approve")
				got := w.get(departFor(t, w, issuer, mara(), request))
				if got.Header().Get("Location") != request || len(w.cookies) != 1 {
					t.Fatalf("got %d to %.300s with %d cookies: %s", got.Code, got.Header().Get("Location"), len(w.cookies), text(got))
				}
				returned := sent(t, approve(t, w, request, func(f url.Values) { f["scope"] = []string{"read"} }), redirect)
				if returned.Get("state") != state || !returned.Has("code") {
					t.Errorf("sent %.300v", returned)
				}
			})
		}
	}
}

func TestALongStateComesBackAfterAnAccountWasChosen(t *testing.T) {
	w, issuer := organisation(t)
	w.members = append(w.members, people.Membership{Account: "beta", AccountName: "Beta Books"})
	w.apps[clientID].Spec.RedirectURIs = append(w.apps[clientID].Spec.RedirectURIs, longest)
	for name, state := range longStates() {
		t.Run(name, func(t *testing.T) {
			w.post(consent.SignOutPath, nil)
			request := asking("state", state, "redirect_uri", longest)
			arrived := w.get(departFor(t, w, issuer, mara(), request))
			if got := arrived.Header().Get("Location"); got != consent.AccountPath {
				t.Fatalf("got %d to %.300s: %s", arrived.Code, got, text(arrived))
			}
			form := url.Values{"ticket": {ticketFor(t, w.get(consent.AccountPath), "Acme Outdoors")}}
			if got := w.post(consent.AccountPath, form); got.Header().Get("Location") != request || len(w.cookies) != 1 {
				t.Errorf("got %d to %.300s with %d cookies", got.Code, got.Header().Get("Location"), len(w.cookies))
			}
		})
	}
}

func TestANewSignInForgetsWhereTheOneBeforeWasToLead(t *testing.T) {
	w, _ := several(t)
	w.post(consent.ProviderPath, nil)
	if w.cookies["__Host-pressroom-return"] != "" || w.cookies["__Host-pressroom-trip"] == "" {
		t.Errorf("the browser carries %v", w.cookies)
	}
}

func TestWhatMeansNothingToUsIsNotCarried(t *testing.T) {
	w, issuer := organisation(t)
	got := w.get(departFor(t, w, issuer, mara(), asking("scope", strings.Repeat("read ", 2000), "utm_source", strings.Repeat("x", 10<<10))))
	if want := asking("scope", "read"); got.Header().Get("Location") != want {
		t.Errorf("got %d to %.300s, want %s", got.Code, got.Header().Get("Location"), want)
	}
}

// several is the organisation with a member of two accounts, who has signed in and sees the page that asks which one.
func several(t *testing.T) (w *world, choice *httptest.ResponseRecorder) {
	t.Helper()
	w, issuer := organisation(t)
	w.members = append(w.members, people.Membership{Account: "beta", AccountName: "Beta \u202eBooks", Groups: []string{"editors", "board"}})
	w.people["mara@acme.examplebeta"] = people.Person{
		ID: "mara@acme.example", Name: "Mara", Account: "beta", AccountName: "Beta Books", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
	}
	arrived := w.get(depart(t, w, issuer, mara()))
	choice = w.get(arrived.Header().Get("Location"))
	return w, choice
}

// ticketFor is the ticket of the form that chooses an account.
func ticketFor(t *testing.T, page *httptest.ResponseRecorder, account string) string {
	t.Helper()
	before, _, ok := strings.Cut(page.Body.String(), "<bdi>"+account+"</bdi>")
	i := strings.LastIndex(before, `name="ticket" value="`)
	if !ok || i < 0 {
		t.Fatalf("%s cannot be chosen: %s", account, text(page))
	}
	ticket, _, _ := strings.Cut(before[i+len(`name="ticket" value="`):], `"`)
	return ticket
}

func (w *world) acts(t *testing.T) string {
	t.Helper()
	page := text(w.get(asking()))
	switch {
	case !strings.Contains(page, `name="scope"`):
		return "nobody"
	case strings.Contains(page, "Beta Books"):
		return "beta"
	default:
		return "acme"
	}
}

func TestAMemberOfSeveralAccountsChoosesOne(t *testing.T) {
	w, page := several(t)
	if got := w.acts(t); got != "nobody" {
		t.Fatalf("a request can be answered for %s before an account is chosen", got)
	}
	if !w.signedIn() || w.session(t).Account != "" || !reflect.DeepEqual(w.session(t).Groups, []string{"board", "editors"}) {
		t.Errorf("the session is %+v", w.session(t))
	}
	got := w.post(consent.AccountPath, url.Values{"ticket": {ticketFor(t, page, "Beta Books")}})
	if len(w.cookies) != 1 {
		t.Errorf("the cookie that says where to go stays: %v", w.cookies)
	}
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() || w.acts(t) != "beta" {
		t.Errorf("got %d to %s, for %s", got.Code, got.Header().Get("Location"), w.acts(t))
	}
}

func TestAnAccountIsChosenByItsTicketAlone(t *testing.T) {
	tests := []struct {
		name string
		form func(w *world, page *httptest.ResponseRecorder) url.Values
		want string
	}{
		{"the ticket of an account", func(_ *world, page *httptest.ResponseRecorder) url.Values {
			return url.Values{"ticket": {ticketFor(t, page, "Acme Outdoors")}}
		}, "acme"},
		{"no ticket", func(*world, *httptest.ResponseRecorder) url.Values { return url.Values{"account": {"beta"}} }, "nobody"},
		{"one that is made up", func(*world, *httptest.ResponseRecorder) url.Values { return url.Values{"ticket": {"beta"}} }, "nobody"},
		{"one of another purpose", func(w *world, _ *httptest.ResponseRecorder) url.Values {
			return url.Values{"ticket": {hidden(t, w.get(asking()), "return")}}
		}, "nobody"},
		{"one that is too old", func(w *world, page *httptest.ResponseRecorder) url.Values {
			w.clock.SetTime(start.Add(time.Hour))
			return url.Values{"ticket": {ticketFor(t, page, "Beta Books")}}
		}, "nobody"},
		{"one of another session", func(w *world, page *httptest.ResponseRecorder) url.Values {
			other := httptest.NewRecorder()
			if err := w.store.Start(other, session.Session{Email: "mara@acme.example"}); err != nil {
				t.Fatal(err)
			}
			w.cookies[session.CookieName] = other.Result().Cookies()[0].Value
			return url.Values{"ticket": {ticketFor(t, page, "Beta Books")}}
		}, "nobody"},
		{"one after signing out", func(w *world, page *httptest.ResponseRecorder) url.Values {
			w.post(consent.SignOutPath, nil)
			return url.Values{"ticket": {ticketFor(t, page, "Beta Books")}}
		}, "nobody"},
		{"one of an account that they have left", func(w *world, page *httptest.ResponseRecorder) url.Values {
			delete(w.people, "mara@acme.examplebeta")
			return url.Values{"ticket": {ticketFor(t, page, "Beta Books")}}
		}, "nobody"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, page := several(t)
			form := tt.form(w, page)
			wantTo := asking()
			if w.cookies["__Host-pressroom-return"] == "" {
				t.Error("nothing says where to go")
			}
			if w.clock.Now().After(start) {
				wantTo = consent.AppsPath
			}
			if got := w.post(consent.AccountPath, form); got.Code != http.StatusSeeOther || got.Header().Get("Location") != wantTo {
				t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
			}
			if got := w.acts(t); got != tt.want {
				t.Errorf("acts for %s, want %s", got, tt.want)
			}
		})
	}
}

func TestChoosingAnotherAccountLeavesNothingOfTheOneBefore(t *testing.T) {
	w, page := several(t)
	w.post(consent.AccountPath, url.Values{"ticket": {ticketFor(t, page, "Acme Outdoors")}})
	before, form := w.session(t), hidden(t, w.get(asking()), "ticket")
	w.clock.SetTime(start.Add(30 * time.Minute))
	w.post(consent.AccountPath, url.Values{"ticket": {ticketFor(t, w.get(consent.AccountPath), "Beta Books")}})
	after := w.session(t)
	if after.Account != "beta" || after.ID == before.ID || !after.Expires.Equal(before.Expires) {
		t.Errorf("the session %+v became %+v, want another id and the same end", before, after)
	}
	got := w.post(consent.ConsentPath, url.Values{"ticket": {form}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"}})
	if got.Header().Get("Location") != asking() || len(w.created) != 0 {
		t.Errorf("a form for one account was taken for another: %q, created %v", got.Header().Get("Location"), w.created)
	}
}

func TestATicketForSomethingElseChoosesNoAccount(t *testing.T) {
	w, page := several(t)
	w.post(consent.AccountPath, url.Values{"ticket": {ticketFor(t, page, "Acme Outdoors")}})
	// The ticket that revokes a grant holds its name, which may be that of an account.
	w.grants = []v1alpha1.OAuthGrant{grantOf("beta", "acme", "mara@acme.example")}
	w.post(consent.AccountPath, url.Values{"ticket": {hidden(t, w.get(consent.AppsPath), "ticket")}})
	if got := w.acts(t); got != "acme" {
		t.Errorf("acts for %s", got)
	}
}

// inGroups has the accounts name groups of Mara's.
func (w *world) inGroups(number int) (names []string) {
	for i := range number {
		names = append(names, fmt.Sprintf("group-%012d", i))
	}
	for i := range w.members {
		w.members[i].Groups = names
	}
	return names
}

func TestNoRightOfAGroupIsLost(t *testing.T) {
	w, issuer := organisation(t)
	groups := w.inGroups(100)
	w.get(depart(t, w, issuer, mara()))
	if got := w.session(t).Groups; !reflect.DeepEqual(got, groups) {
		t.Errorf("the session carries %d groups: %v", len(got), got)
	}
}

func TestWhoIsInMoreGroupsThanASessionHoldsIsToldSo(t *testing.T) {
	w, issuer := organisation(t)
	w.inGroups(200)
	got := w.get(depart(t, w, issuer, mara()))
	if problem := w.problem(got, asking()); !strings.Contains(problem, "too many groups") || w.signedIn() {
		t.Errorf("got %q, signed in: %v", problem, w.signedIn())
	}
}

func TestOnlyWhoSignedInAtTheIssuerChoosesAnAccount(t *testing.T) {
	w, _ := organisation(t)
	if got := w.get(consent.AccountPath); got.Header().Get("Location") != consent.AppsPath {
		t.Errorf("nobody in particular sees %d %s", got.Code, text(got))
	}
	w.signIn()
	if got := w.get(consent.AccountPath); got.Header().Get("Location") != consent.AppsPath {
		t.Errorf("the holder of a key sees %d %s", got.Code, text(got))
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
