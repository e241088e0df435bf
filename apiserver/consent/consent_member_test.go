package consent_test

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
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
	site, issuer := organisation(t)
	site.store.clients[clientID].Spec.RedirectURIs = append(site.store.clients[clientID].Spec.RedirectURIs, longest)
	for name, state := range longStates() {
		for _, redirect := range []string{callback, longest} {
			t.Run(name+" to "+redirect[:30], func(t *testing.T) {
				site.Post(login.SignOutPath, nil)
				request := asking("state", state, "redirect_uri", redirect, "code_challenge", challenge, "code_challenge_method", "S256", "scope", "read write approve")
				got := site.Get(site.AtIssuer(issuer, logintest.Mara(), request))
				if got.Header().Get("Location") != request || len(site.Cookies) != 1 {
					t.Fatalf("got %d to %.300s with %d cookies: %s", got.Code, got.Header().Get("Location"), len(site.Cookies), testkit.Main(got))
				}
				returned := sent(t, approve(t, site, request, func(f url.Values) { f["scope"] = []string{"read"} }), redirect)
				if returned.Get("state") != state || !returned.Has("code") {
					t.Errorf("sent %.300v", returned)
				}
			})
		}
	}
}

func TestALongStateComesBackAfterAnAccountWasChosen(t *testing.T) {
	site, issuer := organisation(t)
	site.Members = append(site.Members, login.Membership{Account: "beta", AccountName: "Beta Books"})
	site.store.clients[clientID].Spec.RedirectURIs = append(site.store.clients[clientID].Spec.RedirectURIs, longest)
	for name, state := range longStates() {
		t.Run(name, func(t *testing.T) {
			site.Post(login.SignOutPath, nil)
			request := asking("state", state, "redirect_uri", longest)
			arrived := site.Get(site.AtIssuer(issuer, logintest.Mara(), request))
			if got := arrived.Header().Get("Location"); got != login.AccountPath {
				t.Fatalf("got %d to %.300s: %s", arrived.Code, got, testkit.Main(arrived))
			}
			form := url.Values{"ticket": {site.TicketFor(site.Get(login.AccountPath).Body.String(), "Acme Outdoors")}}
			if got := site.Post(login.AccountPath, form); got.Header().Get("Location") != request || len(site.Cookies) != 1 {
				t.Errorf("got %d to %.300s with %d cookies", got.Code, got.Header().Get("Location"), len(site.Cookies))
			}
		})
	}
}

func TestWhatMeansNothingToUsIsNotCarried(t *testing.T) {
	site, issuer := organisation(t)
	got := site.Get(site.AtIssuer(issuer, logintest.Mara(), asking("scope", strings.Repeat("read ", 2000), "utm_source", strings.Repeat("x", 10<<10))))
	if want := asking("scope", "read"); got.Header().Get("Location") != want {
		t.Errorf("got %d to %.300s, want %s", got.Code, got.Header().Get("Location"), want)
	}
}

func TestChoosingAnotherAccountLeavesNothingOfTheOneBefore(t *testing.T) {
	site, issuer := organisation(t)
	site.JoinBeta()
	arrived := site.Get(site.AtIssuer(issuer, logintest.Mara(), asking()))
	page := site.Get(arrived.Header().Get("Location")).Body.String()
	site.Post(login.AccountPath, url.Values{"ticket": {site.TicketFor(page, "Acme Outdoors")}})
	before, form := site.Session(), site.Hidden(site.Get(asking()), "ticket")
	site.Clock.SetTime(logintest.Start.Add(30 * time.Minute))
	site.Post(login.AccountPath, url.Values{"ticket": {site.TicketFor(site.Get(login.AccountPath).Body.String(), "Beta Books")}})
	after := site.Session()
	if after.Account != "beta" || after.ID == before.ID || !after.Expires.Equal(before.Expires) {
		t.Errorf("the session %+v became %+v, want another id and the same end", before, after)
	}
	got := site.Post(consent.ConsentPath, url.Values{"ticket": {form}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"}})
	if got.Header().Get("Location") != asking() || len(site.store.created) != 0 {
		t.Errorf("a form for one account was taken for another: %q, created %v", got.Header().Get("Location"), site.store.created)
	}
}

func TestAMemberLetsAClientIn(t *testing.T) {
	site, issuer := organisation(t)
	if got := site.Get(site.AtIssuer(issuer, logintest.Mara(), asking())); got.Header().Get("Location") != asking() {
		t.Fatalf("got %d to %s", got.Code, got.Header().Get("Location"))
	}
	sent(t, approve(t, site, asking(), func(f url.Values) { f["scope"] = []string{"read"} }), callback)
	if len(site.store.created) != 1 || site.store.created[0].Person != "mara@acme.example" {
		t.Errorf("created %+v", site.store.created)
	}
}
