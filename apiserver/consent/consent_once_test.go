package consent_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

func TestAFormGivesConsentOnce(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	form := url.Values{
		"ticket": {site.Hidden(site.Get(asking()), "ticket")}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"},
	}
	sent(t, site.Post(consent.ConsentPath, form), callback+"&")
	for range 3 {
		if got := site.Problem(site.Post(consent.ConsentPath, form), asking()); !strings.Contains(got, "was sent already") {
			t.Errorf("sent again: %s", got)
		}
	}
	if len(site.store.created) != 1 {
		t.Errorf("one form gave consent %d times", len(site.store.created))
	}
	// Another form is another consent.
	sent(t, approve(t, site, asking(), nil), callback+"&")
	if len(site.store.created) != 2 {
		t.Errorf("two forms gave consent %d times", len(site.store.created))
	}
}

func TestTheFormSaysThatAnAppWasLetInTooOften(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	site.store.failGrant = oauth.ErrTooManyGrants
	if got := site.Problem(approve(t, site, asking(), nil), asking()); !strings.Contains(got, "Connected apps") {
		t.Errorf("got %s", got)
	}
}
