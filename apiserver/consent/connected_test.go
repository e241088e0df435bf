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
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func grantOf(name, account, person string) v1alpha1.OAuthGrant {
	used := v1alpha1.NewMicroTime(logintest.Start)
	return v1alpha1.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(logintest.Start)},
		Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: "newsletter"}, AccountRef: v1alpha1.AccountReference{Name: account}, Person: person,
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, Workspaces: []string{"acme-blog"},
		},
		Status: v1alpha1.OAuthGrantStatus{RedemptionTime: &used, LastUseTime: &used},
	}
}

func TestConnectedAppsAreListedAndRevoked(t *testing.T) {
	site := newSite(t)
	site.store.grants = []v1alpha1.OAuthGrant{
		grantOf("mine", "acme", "api-key:"+site.Key.ID), grantOf("theirs", "acme", "api-key:other"), grantOf("elsewhere", "zeta", "api-key:"+site.Key.ID),
	}
	if strings.Contains(testkit.Main(site.Get(consent.ConnectedPath)), "Newsletter") {
		t.Error("apps are shown to nobody in particular")
	}
	site.SignIn()
	page := site.Get(consent.ConnectedPath)
	if strings.Count(testkit.Main(page), "Remove access") != 1 {
		t.Fatalf("not one app: %s", testkit.Main(page))
	}
	for _, want := range []string{"Newsletter Studio", "Read your sites", "acme-blog", "1 March 2026"} {
		if !strings.Contains(testkit.Main(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	ticket := site.Hidden(page, "ticket")
	site.Post(consent.RevokePath, url.Values{"ticket": {"mine"}})
	site.Post(consent.RevokePath, url.Values{"ticket": {site.Hidden(site.Get(asking()), "ticket")}})
	old := site.Cookies[login.CookieName]
	site.SignIn()
	site.Post(consent.RevokePath, url.Values{"ticket": {ticket}})
	clear(site.Cookies)
	site.Post(consent.RevokePath, url.Values{"ticket": {ticket}})
	if len(site.store.revoked) != 0 {
		t.Fatalf("revoked without a ticket of this session: %v", site.store.revoked)
	}
	site.Cookies[login.CookieName] = old
	if got := site.Post(consent.RevokePath, url.Values{"ticket": {ticket}}); got.Header().Get("Location") != consent.ConnectedPath || len(site.store.revoked) != 1 || site.store.revoked[0] != "mine" {
		t.Errorf("got %d, revoked %v", got.Code, site.store.revoked)
	}
	site.store.revoked = nil
	stale := site.Hidden(site.Get(consent.ConnectedPath+"?"), "ticket")
	site.Clock.SetTime(logintest.Start.Add(time.Hour))
	if site.Post(consent.RevokePath, url.Values{"ticket": {stale}}); len(site.store.revoked) != 0 {
		t.Error("a form that was open for too long revokes")
	}
	site.Clock.SetTime(logintest.Start)
	delete(site.People, site.Key.ID)
	if site.Post(consent.RevokePath, url.Values{"ticket": {ticket}}); len(site.store.revoked) != 0 {
		t.Error("somebody who is gone revokes")
	}
	site.People[site.Key.ID] = login.Person{ID: "api-key:" + site.Key.ID, Account: "zeta"}
	site.store.grants, site.store.revoked = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+site.Key.ID)}, nil
	if site.Post(consent.RevokePath, url.Values{"ticket": {ticket}}); len(site.store.revoked) != 0 {
		t.Error("a grant of another account was revoked")
	}
}

func TestWhoHasRemovedAnAppDoesNotFindItInTheListAgain(t *testing.T) {
	site := newSite(t)
	site.store.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+site.Key.ID)}
	site.SignIn()
	ticket := site.Hidden(site.Get(consent.ConnectedPath), "ticket")
	site.store.lag = 3
	site.Post(consent.RevokePath, url.Values{"ticket": {ticket}})
	if page := testkit.Main(site.Get(consent.ConnectedPath)); site.store.revoked == nil || strings.Contains(page, "Newsletter") {
		t.Errorf("the page shows what was removed: %s", page)
	}
}

func TestRemovingWhatIsGoneIsDone(t *testing.T) {
	site := newSite(t)
	site.store.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+site.Key.ID)}
	site.SignIn()
	page := site.Get(consent.ConnectedPath)
	site.store.collected = true
	got := site.Post(consent.RevokePath, url.Values{"ticket": {site.Hidden(page, "ticket")}})
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != consent.ConnectedPath || len(site.store.revoked) != 1 {
		t.Errorf("got %d to %q, revoked %v: %s", got.Code, got.Header().Get("Location"), site.store.revoked, testkit.Main(got))
	}
}
