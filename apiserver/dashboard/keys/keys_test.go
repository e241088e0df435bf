package keys_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

const keysPath = "/app/account/keys"

func TestAKeyIsMadeOnAPageThatShowsItOnce(t *testing.T) {
	p := pagetest.SignIn(t)
	made := p.Submit(p.Get(keysPath+"/new"), "main form", url.Values{"name": {"newsletter"}, "scopes": {"read"}, "days": {"30"}})
	p.Want(made, http.StatusOK, map[string]string{"h1": "API key made", "main": "newsletter"})
	secret := made.Value("#secret")
	if !strings.HasPrefix(secret, "pr_") || made.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page shows %q, with Cache-Control %q", secret, made.Header.Get("Cache-Control"))
	}
	list := p.Get(keysPath)
	p.Want(list, http.StatusOK, map[string]string{"tbody": "newsletter"})
	if strings.Contains(list.Text("main"), secret) {
		t.Error("the list shows the key")
	}
	p.Want(p.Submit(list, "form[action$='/revoke']", nil), http.StatusSeeOther, nil)
	p.Want(p.Get(keysPath), http.StatusOK, nil)
	if got := p.Get(keysPath).Text("tbody"); strings.Contains(got, "newsletter") {
		t.Errorf("after it was revoked the list has %s", got)
	}
}

func TestTheFormSaysAtTheFieldWhatMustBe(t *testing.T) {
	p := pagetest.SignIn(t)
	got := p.Submit(p.Get(keysPath+"/new"), "main form", url.Values{"name": {"  "}, "scopes": {}})
	p.Want(got, http.StatusUnprocessableEntity, nil)
	if got.Find(".problem").Length() < 2 {
		t.Errorf("the page says %s", got.Text("main"))
	}
}

// Nobody makes a key that lives longer or may do more than they.
func TestTheFormOffersWhatThePersonCanHandOn(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead, v1alpha1.ScopeManage)
	p.ExpiresAt = operationtest.Began.AddDate(0, 0, 31)
	page := p.Get(keysPath + "/new")
	values := func(selector string) []string {
		return page.Find(selector).Map(func(_ int, e *goquery.Selection) string { return e.AttrOr("value", "") })
	}
	if got := values("input[name=scopes]"); !slices.Equal(got, []string{"read", "manage"}) {
		t.Errorf("the scopes are %v", got)
	}
	if got := values("select[name=days] option"); !slices.Equal(got, []string{"0", "30", "7"}) {
		t.Errorf("it can live for %v days, of a person whose key ends in 31", got)
	}
	if got := page.Text("select[name=days] option:first-child"); got != "As long as your own key" {
		t.Errorf("the default is %q", got)
	}
	p.ExpiresAt = time.Time{}
	if got := p.Get(keysPath + "/new").Text("select[name=days] option:first-child"); got != "Until it is revoked" {
		t.Errorf("the default of somebody whose access does not end is %q", got)
	}
}

func TestThePagesNeedTheScopeManage(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	for _, path := range []string{keysPath, keysPath + "/new"} {
		p.Want(p.Get(path), http.StatusForbidden, nil)
	}
}

func TestAKeyHasNoMoreThanItsMakerWhateverTheFormSends(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead, v1alpha1.ScopeManage)
	refused := p.Forge(p.Get(keysPath+"/new"), "main form", url.Values{"name": {"more"}, "scopes": {"approve"}, "workspaces": {"another"}})
	p.Want(refused, http.StatusUnprocessableEntity, map[string]string{
		"#scopes-problem": "Must be one of your own: read, manage", "#workspaces-problem": "Must be a workspace that you may use",
	})
	if got := refused.Value("#name"); got != "more" {
		t.Errorf("the name is %q", got)
	}
}
