package consent_test

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/login/logintest"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

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
	w.store.clients[clientID].Spec.RedirectURIs = append(w.store.clients[clientID].Spec.RedirectURIs, longest)
	for name, state := range longStates() {
		for _, redirect := range []string{callback, longest} {
			t.Run(name+" to "+redirect[:30], func(t *testing.T) {
				w.Post(login.SignOutPath, nil)
				request := asking("state", state, "redirect_uri", redirect, "code_challenge", challenge, "code_challenge_method", "S256", "scope", "read write approve")
				got := w.Get(w.AtIssuer(issuer, logintest.Mara(), request))
				if got.Header().Get("Location") != request || len(w.Cookies) != 1 {
					t.Fatalf("got %d to %.300s with %d cookies: %s", got.Code, got.Header().Get("Location"), len(w.Cookies), testkit.Main(got))
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
	w.Members = append(w.Members, login.Membership{Account: "beta", AccountName: "Beta Books"})
	w.store.clients[clientID].Spec.RedirectURIs = append(w.store.clients[clientID].Spec.RedirectURIs, longest)
	for name, state := range longStates() {
		t.Run(name, func(t *testing.T) {
			w.Post(login.SignOutPath, nil)
			request := asking("state", state, "redirect_uri", longest)
			arrived := w.Get(w.AtIssuer(issuer, logintest.Mara(), request))
			if got := arrived.Header().Get("Location"); got != login.AccountPath {
				t.Fatalf("got %d to %.300s: %s", arrived.Code, got, testkit.Main(arrived))
			}
			form := url.Values{"ticket": {w.TicketFor(w.Get(login.AccountPath).Body.String(), "Acme Outdoors")}}
			if got := w.Post(login.AccountPath, form); got.Header().Get("Location") != request || len(w.Cookies) != 1 {
				t.Errorf("got %d to %.300s with %d cookies", got.Code, got.Header().Get("Location"), len(w.Cookies))
			}
		})
	}
}

func TestWhatMeansNothingToUsIsNotCarried(t *testing.T) {
	w, issuer := organisation(t)
	got := w.Get(w.AtIssuer(issuer, logintest.Mara(), asking("scope", strings.Repeat("read ", 2000), "utm_source", strings.Repeat("x", 10<<10))))
	if want := asking("scope", "read"); got.Header().Get("Location") != want {
		t.Errorf("got %d to %.300s, want %s", got.Code, got.Header().Get("Location"), want)
	}
}

func TestChoosingAnotherAccountLeavesNothingOfTheOneBefore(t *testing.T) {
	w, issuer := organisation(t)
	w.JoinBeta()
	arrived := w.Get(w.AtIssuer(issuer, logintest.Mara(), asking()))
	page := w.Get(arrived.Header().Get("Location")).Body.String()
	w.Post(login.AccountPath, url.Values{"ticket": {w.TicketFor(page, "Acme Outdoors")}})
	before, form := w.Session(), w.Hidden(w.Get(asking()), "ticket")
	w.Clock.SetTime(logintest.Start.Add(30 * time.Minute))
	w.Post(login.AccountPath, url.Values{"ticket": {w.TicketFor(w.Get(login.AccountPath).Body.String(), "Beta Books")}})
	after := w.Session()
	if after.Account != "beta" || after.ID == before.ID || !after.Expires.Equal(before.Expires) {
		t.Errorf("the session %+v became %+v, want another id and the same end", before, after)
	}
	got := w.Post(consent.ConsentPath, url.Values{"ticket": {form}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"}})
	if got.Header().Get("Location") != asking() || len(w.store.created) != 0 {
		t.Errorf("a form for one account was taken for another: %q, created %v", got.Header().Get("Location"), w.store.created)
	}
}

func TestAMemberLetsAClientIn(t *testing.T) {
	w, issuer := organisation(t)
	if got := w.Get(w.AtIssuer(issuer, logintest.Mara(), asking())); got.Header().Get("Location") != asking() {
		t.Fatalf("got %d to %s", got.Code, got.Header().Get("Location"))
	}
	sent(t, approve(t, w, asking(), func(f url.Values) { f["scope"] = []string{"read"} }), callback)
	if len(w.store.created) != 1 || w.store.created[0].Person != "mara@acme.example" {
		t.Errorf("created %+v", w.store.created)
	}
}
