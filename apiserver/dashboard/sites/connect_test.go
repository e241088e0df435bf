package sites_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestConnectingASiteBeginsWithItsType(t *testing.T) {
	p := pagetest.SignIn(t)
	choice := p.Get(pagetest.In("sites", "new"))
	p.Want(choice, http.StatusOK, map[string]string{"h1": "Connect a site"})
	links := choice.Links("ul.choices a")
	if len(links) < 2 {
		t.Fatalf("the types are %v", links)
	}
	for _, link := range links {
		if form := p.Get(link); form.Find("main form input[name=domain]").Length() != 1 {
			t.Errorf("%s has no form: %s", link, form.Text("main"))
		}
	}
}

func TestTheFormSaysAtTheFieldWhatMustBeAndShowsNoCredentialAgain(t *testing.T) {
	p := pagetest.SignIn(t)
	refused := p.Submit(p.Get(pagetest.In("sites", "new")+"?type=wordpress"), "main form", url.Values{
		"domain": {"https://new.example.com"}, "connection.url": {"ftp://new.example.com"}, "connection.password": {"typed"}, "connection.username": {""},
	})
	p.Want(refused, http.StatusUnprocessableEntity, map[string]string{
		"#domain-problem": "Must be a host name", "main form > .problem[role=alert]": "Nothing has been done yet: see below what must be.",
	})
	for _, id := range []string{"connection.url-problem", "connection.username-problem"} {
		if refused.Find("[id='"+id+"']").Length() != 1 {
			t.Errorf("the page lacks %s", id)
		}
	}
	if got := refused.Value("[id='connection.url']"); got != "ftp://new.example.com" {
		t.Errorf("the address is %q", got)
	}
	if got := refused.Value("[id='connection.password']"); got != "" {
		t.Errorf("the page shows the password %q", got)
	}
}

func TestOnlyThoseWhoManageConnectSites(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	p.Want(p.Get(pagetest.In("sites", "new")), http.StatusForbidden, nil)
	if got := p.Get(pagetest.In("sites")).Find("a[href$='/new']").Length(); got != 0 {
		t.Errorf("%d links are offered", got)
	}
}
