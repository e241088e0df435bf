package consent_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/login/logintest"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

func grantOf(name, account, person string) v1alpha1.OAuthGrant {
	used := metav1.NewMicroTime(logintest.Start)
	return v1alpha1.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(logintest.Start)},
		Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: "newsletter"}, AccountRef: v1alpha1.AccountReference{Name: account}, Person: person,
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, Workspaces: []string{"acme-blog"},
		},
		Status: v1alpha1.OAuthGrantStatus{RedeemedAt: &used, LastUsedAt: &used},
	}
}

func TestConnectedAppsAreListedAndRevoked(t *testing.T) {
	w := newWorld(t)
	w.store.grants = []v1alpha1.OAuthGrant{
		grantOf("mine", "acme", "api-key:"+w.Key.ID), grantOf("theirs", "acme", "api-key:other"), grantOf("elsewhere", "zeta", "api-key:"+w.Key.ID),
	}
	if strings.Contains(testkit.Main(w.Get(consent.ConnectedPath)), "Newsletter") {
		t.Error("apps are shown to nobody in particular")
	}
	w.SignIn()
	page := w.Get(consent.ConnectedPath)
	if strings.Count(testkit.Main(page), "Remove access") != 1 {
		t.Fatalf("not one app: %s", testkit.Main(page))
	}
	for _, want := range []string{"Newsletter Studio", "Read your sites", "acme-blog", "1 March 2026"} {
		if !strings.Contains(testkit.Main(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	ticket := w.Hidden(page, "ticket")
	w.Post(consent.RevokePath, url.Values{"ticket": {"mine"}})
	w.Post(consent.RevokePath, url.Values{"ticket": {w.Hidden(w.Get(asking()), "ticket")}})
	old := w.Cookies[login.CookieName]
	w.SignIn()
	w.Post(consent.RevokePath, url.Values{"ticket": {ticket}})
	clear(w.Cookies)
	w.Post(consent.RevokePath, url.Values{"ticket": {ticket}})
	if len(w.store.revoked) != 0 {
		t.Fatalf("revoked without a ticket of this session: %v", w.store.revoked)
	}
	w.Cookies[login.CookieName] = old
	if got := w.Post(consent.RevokePath, url.Values{"ticket": {ticket}}); got.Header().Get("Location") != consent.ConnectedPath || len(w.store.revoked) != 1 || w.store.revoked[0] != "mine" {
		t.Errorf("got %d, revoked %v", got.Code, w.store.revoked)
	}
	w.store.revoked = nil
	stale := w.Hidden(w.Get(consent.ConnectedPath+"?"), "ticket")
	w.Clock.SetTime(logintest.Start.Add(time.Hour))
	if w.Post(consent.RevokePath, url.Values{"ticket": {stale}}); len(w.store.revoked) != 0 {
		t.Error("a form that was open for too long revokes")
	}
	w.Clock.SetTime(logintest.Start)
	delete(w.People, w.Key.ID)
	if w.Post(consent.RevokePath, url.Values{"ticket": {ticket}}); len(w.store.revoked) != 0 {
		t.Error("somebody who is gone revokes")
	}
	w.People[w.Key.ID] = login.Person{ID: "api-key:" + w.Key.ID, Account: "zeta"}
	w.store.grants, w.store.revoked = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.Key.ID)}, nil
	if w.Post(consent.RevokePath, url.Values{"ticket": {ticket}}); len(w.store.revoked) != 0 {
		t.Error("a grant of another account was revoked")
	}
}

func TestWhoHasRemovedAnAppDoesNotFindItInTheListAgain(t *testing.T) {
	w := newWorld(t)
	w.store.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.Key.ID)}
	w.SignIn()
	ticket := w.Hidden(w.Get(consent.ConnectedPath), "ticket")
	w.store.lag = 3
	w.Post(consent.RevokePath, url.Values{"ticket": {ticket}})
	if page := testkit.Main(w.Get(consent.ConnectedPath)); w.store.revoked == nil || strings.Contains(page, "Newsletter") {
		t.Errorf("the page shows what was removed: %s", page)
	}
}

func TestRemovingWhatIsGoneIsDone(t *testing.T) {
	w := newWorld(t)
	w.store.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.Key.ID)}
	w.SignIn()
	page := w.Get(consent.ConnectedPath)
	w.store.collected = true
	got := w.Post(consent.RevokePath, url.Values{"ticket": {w.Hidden(page, "ticket")}})
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != consent.ConnectedPath || len(w.store.revoked) != 1 {
		t.Errorf("got %d to %q, revoked %v: %s", got.Code, got.Header().Get("Location"), w.store.revoked, testkit.Main(got))
	}
}
