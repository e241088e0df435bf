package login_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func TestSigningInByOpenIDConnect(t *testing.T) {
	w, issuer := organisation(t)
	got := w.Get(w.AtIssuer(issuer, logintest.Mara(), hello))
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != hello {
		t.Fatalf("got %d to %s: %s", got.Code, got.Header().Get("Location"), testkit.Main(got))
	}
	if len(w.Cookies) != 1 {
		t.Errorf("the cookie of the state stays: %v", w.Cookies)
	}
	s := w.Session()
	if s.Email != "mara@acme.example" || s.Account != "acme" || !reflect.DeepEqual(s.Groups, []string{"editors"}) || s.Issuer != issuer.Issuer() {
		t.Errorf("the session is %+v", s)
	}
}

func TestASignInThatTheIssuerDoesNotVouchForIsRefused(t *testing.T) {
	unverified := logintest.Mara()
	unverified.EmailVerified = false
	nameless := logintest.Mara()
	nameless.Email = ""
	set := func(name, value string) func(url.Values) { return func(q url.Values) { q.Set(name, value) } }
	replace := func(old, by string) func(*logintest.Site, string) string {
		return func(_ *logintest.Site, path string) string { return strings.Replace(path, old, by, 1) }
	}
	const notVouched, notYours = "not vouched for your e-mail address", "not yours, or took too long"
	tests := []struct {
		name string
		user *mockoidc.MockUser
		// leaving changes what the issuer is asked, arriving what happens before the browser is back.
		leaving  func(url.Values)
		arriving func(w *logintest.Site, path string) string
		want     string
	}{
		{name: "as it is", user: logintest.Mara()},
		{name: "at the last moment", user: logintest.Mara(), arriving: func(w *logintest.Site, path string) string {
			w.Clock.SetTime(logintest.Start.Add(10*time.Minute - time.Second))
			return path
		}},
		{name: "the address is not verified", user: unverified, want: notVouched},
		{name: "there is no address", user: nameless, want: notVouched},
		{name: "the answer to another sign-in", user: logintest.Mara(), leaving: set("nonce", "another"), want: notVouched},
		{name: "another verifier", user: logintest.Mara(), leaving: set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), want: notVouched},
		{name: "another code", user: logintest.Mara(), arriving: replace("code=", "code=x"), want: notVouched},
		{name: "no code", user: logintest.Mara(), arriving: replace("code=", "error="), want: "has not signed you in"},
		{name: "not a member", user: logintest.Mara(), arriving: func(w *logintest.Site, path string) string {
			w.Members = nil
			return path
		}, want: "mara@acme.example, which is not a member of any account"},
		{name: "another browser", user: logintest.Mara(), arriving: func(w *logintest.Site, path string) string {
			clear(w.Cookies)
			return path
		}, want: notYours},
		{name: "another state", user: logintest.Mara(), arriving: replace("state=", "state=x"), want: notYours},
		{name: "no state", user: logintest.Mara(), arriving: replace("state=", "other="), want: notYours},
		{name: "another browser without a state", user: logintest.Mara(), arriving: func(w *logintest.Site, path string) string {
			clear(w.Cookies)
			return strings.Replace(path, "state=", "other=", 1)
		}, want: notYours},
		{name: "after too long", user: logintest.Mara(), arriving: func(w *logintest.Site, path string) string {
			w.Clock.SetTime(logintest.Start.Add(10 * time.Minute))
			return path
		}, want: notYours},
		{name: "once more", user: logintest.Mara(), arriving: func(w *logintest.Site, path string) string {
			w.Get(path)
			w.Post(login.SignOutPath, nil)
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
			path := w.AtIssuer(issuer, tt.user, hello, leaving...)
			if tt.arriving != nil {
				path = tt.arriving(w, path)
			}
			got := w.Get(path)
			switch tt.want {
			case "":
				if got.Header().Get("Location") != hello {
					t.Errorf("got %d to %q: %s", got.Code, got.Header().Get("Location"), testkit.Main(got))
				}
			case notYours:
				if got.Code != http.StatusBadRequest || !strings.Contains(testkit.Main(got), tt.want) {
					t.Errorf("got %d: %s", got.Code, testkit.Main(got))
				}
			default:
				if problem := w.Problem(got, hello); !strings.Contains(problem, tt.want) {
					t.Errorf("got %q, want %q", problem, tt.want)
				}
			}
			if w.SignedIn() != (tt.want == "") {
				t.Errorf("signed in: %v", w.SignedIn())
			}
		})
	}
}

func TestMadeUpCodesKeepNobodyOut(t *testing.T) {
	w, issuer := organisation(t)
	madeUp := func(path string) string { return strings.Replace(path, "code=", "code=x", 1) }
	for i := range 20 {
		got := w.Problem(w.Get(madeUp(w.AtIssuer(issuer, logintest.Mara(), hello))), hello)
		if !strings.Contains(got, "not vouched for your e-mail address") {
			t.Fatalf("try %d: %q", i, got)
		}
	}
	if w.Get(w.AtIssuer(issuer, logintest.Mara(), hello)); !w.SignedIn() {
		t.Error("the one whom the issuer vouches for is kept out")
	}
}

func TestTheCookieOfASignInTakesOneCode(t *testing.T) {
	w, issuer := organisation(t)
	path := w.AtIssuer(issuer, logintest.Mara(), hello)
	carried := maps.Clone(w.Cookies)
	w.Get(strings.Replace(path, "code=", "code=x", 1))
	maps.Copy(w.Cookies, carried)
	if got := w.Get(path); got.Code != http.StatusBadRequest || w.SignedIn() {
		t.Errorf("a second code with the same cookie: got %d, signed in: %v", got.Code, w.SignedIn())
	}
}

func TestANewSignInForgetsWhereTheOneBeforeWasToLead(t *testing.T) {
	w, _ := several(t)
	w.Post(login.ProviderPath, nil)
	if w.Cookies["__Host-pressroom-return"] != "" || w.Cookies["__Host-pressroom-oidc-state"] == "" {
		t.Errorf("the browser carries %v", w.Cookies)
	}
}

// several is the organisation with a member of two accounts, who has signed in and sees the page that asks which one.
func several(t *testing.T) (w *logintest.Site, page string) {
	t.Helper()
	w, issuer := organisation(t)
	w.JoinBeta()
	arrived := w.Get(w.AtIssuer(issuer, logintest.Mara(), hello))
	return w, w.Get(arrived.Header().Get("Location")).Body.String()
}

// actsFor returns the account that the person who is signed in acts for.
func actsFor(w *logintest.Site) string {
	page := testkit.Main(w.Get(hello))
	switch {
	case strings.Contains(page, "Beta Books"):
		return "beta"
	case strings.Contains(page, "Acme Outdoors"):
		return "acme"
	default:
		return "nobody"
	}
}

func TestAMemberOfSeveralAccountsChoosesOne(t *testing.T) {
	w, page := several(t)
	if got := actsFor(w); got != "nobody" {
		t.Fatalf("a request can be answered for %s before an account is chosen", got)
	}
	if !w.SignedIn() || w.Session().Account != "" || !reflect.DeepEqual(w.Session().Groups, []string{"board", "editors"}) {
		t.Errorf("the session is %+v", w.Session())
	}
	got := w.Post(login.AccountPath, url.Values{"ticket": {w.TicketFor(page, "Beta Books")}})
	if len(w.Cookies) != 1 {
		t.Errorf("the cookie that says where to go stays: %v", w.Cookies)
	}
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != hello || actsFor(w) != "beta" {
		t.Errorf("got %d to %s, for %s", got.Code, got.Header().Get("Location"), actsFor(w))
	}
}

func TestAnAccountIsChosenByItsTicketAlone(t *testing.T) {
	tests := []struct {
		name string
		form func(w *logintest.Site, page string) url.Values
		want string
	}{
		{"the ticket of an account", func(w *logintest.Site, page string) url.Values {
			return url.Values{"ticket": {w.TicketFor(page, "Acme Outdoors")}}
		}, "acme"},
		{"no ticket", func(*logintest.Site, string) url.Values { return url.Values{"account": {"beta"}} }, "nobody"},
		{"one that is made up", func(*logintest.Site, string) url.Values { return url.Values{"ticket": {"beta"}} }, "nobody"},
		{"one of another purpose", func(w *logintest.Site, _ string) url.Values {
			return url.Values{"ticket": {w.Hidden(w.Get(hello), "return")}}
		}, "nobody"},
		{"one that is too old", func(w *logintest.Site, page string) url.Values {
			w.Clock.SetTime(logintest.Start.Add(time.Hour))
			return url.Values{"ticket": {w.TicketFor(page, "Beta Books")}}
		}, "nobody"},
		{"one of another session", func(w *logintest.Site, page string) url.Values {
			other := httptest.NewRecorder()
			if err := (login.Sessions{Cookies: w.Frame.Cookies}).Start(other, login.Session{Email: "mara@acme.example"}); err != nil {
				t.Fatal(err)
			}
			w.Cookies[login.CookieName] = other.Result().Cookies()[0].Value
			return url.Values{"ticket": {w.TicketFor(page, "Beta Books")}}
		}, "nobody"},
		{"one after signing out", func(w *logintest.Site, page string) url.Values {
			w.Post(login.SignOutPath, nil)
			return url.Values{"ticket": {w.TicketFor(page, "Beta Books")}}
		}, "nobody"},
		{"one of an account that they have left", func(w *logintest.Site, page string) url.Values {
			delete(w.People, "mara@acme.examplebeta")
			return url.Values{"ticket": {w.TicketFor(page, "Beta Books")}}
		}, "nobody"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, page := several(t)
			form := tt.form(w, page)
			wantTo := hello
			if w.Cookies["__Host-pressroom-return"] == "" {
				t.Error("nothing says where to go")
			}
			if w.Clock.Now().After(logintest.Start) {
				wantTo = logintest.Home
			}
			if got := w.Post(login.AccountPath, form); got.Code != http.StatusSeeOther || got.Header().Get("Location") != wantTo {
				t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
			}
			if got := actsFor(w); got != tt.want {
				t.Errorf("acts for %s, want %s", got, tt.want)
			}
		})
	}
}

func TestATicketForSomethingElseChoosesNoAccount(t *testing.T) {
	w, page := several(t)
	w.Post(login.AccountPath, url.Values{"ticket": {w.TicketFor(page, "Acme Outdoors")}})
	// A ticket of another purpose may be about the name of an account.
	other, err := w.Frame.SealTicket("another form", w.Session().ID, "beta")
	if err != nil {
		t.Fatal(err)
	}
	w.Post(login.AccountPath, url.Values{"ticket": {other}})
	if got := actsFor(w); got != "acme" {
		t.Errorf("acts for %s", got)
	}
}

// inGroups has the accounts name groups of Mara's.
func inGroups(w *logintest.Site, number int) (names []string) {
	for i := range number {
		names = append(names, fmt.Sprintf("group-%012d", i))
	}
	for i := range w.Members {
		w.Members[i].Groups = names
	}
	return names
}

func TestNoRightOfAGroupIsLost(t *testing.T) {
	w, issuer := organisation(t)
	groups := inGroups(w, 100)
	w.Get(w.AtIssuer(issuer, logintest.Mara(), hello))
	if got := w.Session().Groups; !reflect.DeepEqual(got, groups) {
		t.Errorf("the session carries %d groups: %v", len(got), got)
	}
}

func TestWhoIsInMoreGroupsThanASessionHoldsIsToldSo(t *testing.T) {
	w, issuer := organisation(t)
	inGroups(w, 200)
	got := w.Get(w.AtIssuer(issuer, logintest.Mara(), hello))
	if problem := w.Problem(got, hello); !strings.Contains(problem, "too many groups") || w.SignedIn() {
		t.Errorf("got %q, signed in: %v", problem, w.SignedIn())
	}
}

func TestOnlyWhoSignedInAtTheIssuerChoosesAnAccount(t *testing.T) {
	w, _ := organisation(t)
	if got := w.Get(login.AccountPath); got.Header().Get("Location") != logintest.Home {
		t.Errorf("nobody in particular sees %d %s", got.Code, testkit.Main(got))
	}
	w.SignIn()
	if got := w.Get(login.AccountPath); got.Header().Get("Location") != logintest.Home {
		t.Errorf("the holder of a key sees %d %s", got.Code, testkit.Main(got))
	}
}

func TestAnIssuerThatIsAwayIsTold(t *testing.T) {
	w, issuer := organisation(t)
	if err := issuer.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if got := w.Post(login.ProviderPath, nil); got.Code != http.StatusServiceUnavailable {
		t.Errorf("got %d", got.Code)
	}
}
