package consent_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

func TestAFormGivesConsentOnce(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	form := url.Values{
		"ticket": {w.Hidden(w.Get(asking()), "ticket")}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"},
	}
	sent(t, w.Post(consent.ConsentPath, form), callback+"&")
	for range 3 {
		if got := w.Problem(w.Post(consent.ConsentPath, form), asking()); !strings.Contains(got, "was sent already") {
			t.Errorf("sent again: %s", got)
		}
	}
	if len(w.store.created) != 1 {
		t.Errorf("one form gave consent %d times", len(w.store.created))
	}
	// Another form is another consent.
	sent(t, approve(t, w, asking(), nil), callback+"&")
	if len(w.store.created) != 2 {
		t.Errorf("two forms gave consent %d times", len(w.store.created))
	}
}

func TestTheFormSaysThatAnAppWasLetInTooOften(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	w.store.failGrant = oauth.ErrTooManyGrants
	if got := w.Problem(approve(t, w, asking(), nil), asking()); !strings.Contains(got, "Connected apps") {
		t.Errorf("got %s", got)
	}
}
