package oauthclients_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestTheFormSaysAtTheFieldWhatMustBe(t *testing.T) {
	p := pagetest.SignIn(t)
	form := p.Get(appsPath + "/new")
	refused := p.Submit(form, "main form", url.Values{
		"name": {"Newsroom"}, "redirect_uris": {"http://app.example.com/"}, "home_url": {"javascript:alert(1)"},
	})
	p.Want(refused, http.StatusUnprocessableEntity, map[string]string{"#redirects-problem": "Must be https", "#home-problem": "https address"})
	if got := refused.Value("#name"); got != "Newsroom" {
		t.Errorf("the name is %q", got)
	}
	// The operation would give it the default scopes.
	none := p.Submit(form, "main form", url.Values{"name": {"Newsroom"}, "redirect_uris": {"https://app.example.com/"}, "scopes": {}})
	p.Want(none, http.StatusUnprocessableEntity, map[string]string{"#scopes-problem": "Choose at least one."})
	p.Want(p.Get(appsPath), http.StatusOK, map[string]string{"main": "The account has registered none"})
}
