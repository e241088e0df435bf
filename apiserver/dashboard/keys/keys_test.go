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

func TestAKeyForAnAgentHasTheLimitsOfOne(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Namespace("acme-shop", "acme")
	form := p.Get(p.Get(keysPath).Links(`.head a[href$="for=agent"]`)[0])
	p.Want(form, http.StatusOK, map[string]string{"h1": "Make an API key for an agent"})
	if got := form.Find("input[name=scopes]").Length(); got != 2 {
		t.Errorf("%d scopes are offered, want read and write", got)
	}
	if form.Find("input[type=radio][name=workspaces]").Length() != 2 || form.Find("input[name=workspaces][checked]").Length() != 1 {
		t.Errorf("one workspace is not chosen: %s", form.Text("main"))
	}
	wrong := p.Forge(form, "main form", url.Values{"name": {"Claude"}, "credits_per_day": {"many"}})
	p.Want(wrong, http.StatusUnprocessableEntity, map[string]string{"#credits-problem": "Must be a whole number", "h1": "Make an API key for an agent"})
	made := p.Submit(form, "main form", url.Values{"name": {"Claude"}})
	p.Want(made, http.StatusOK, map[string]string{"h1": "API key made", "main": "/mcp"})
	var keys v1alpha1.APIKeyList
	if err := p.API.Objects.List(t.Context(), &keys); err != nil || len(keys.Items) != 1 {
		t.Fatalf("%d keys are made, %v", len(keys.Items), err)
	}
	s := keys.Items[0].Spec
	if !slices.Equal(s.Scopes, []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}) || len(s.Workspaces) != 1 || *s.Limits.CreditsPerDay != 20 {
		t.Errorf("it is %+v", s)
	}
	if want := operationtest.Began.Truncate(24*time.Hour).AddDate(0, 0, 90); !s.ExpirationTime.Time.Equal(want) {
		t.Errorf("it ends %s, want %s", s.ExpirationTime, want)
	}
}

func TestThePageOfAKeySaysWhatItDid(t *testing.T) {
	p := pagetest.SignIn(t)
	p.Submit(p.Get(keysPath+"/new?for=agent"), "main form", url.Values{"name": {"Claude"}})
	link := p.Get(keysPath).Links("tbody a")[0]
	p.Want(p.Get(link), http.StatusOK, map[string]string{
		"h1": "Claude", "[aria-labelledby=key-title]": "0 of 20", "[aria-labelledby=did-title]": "No article here says",
	})
	id := strings.TrimPrefix(link, keysPath+"/")
	by := func(a *v1alpha1.Article) {
		a.Annotations = map[string]string{v1alpha1.CreatedByAnnotation: "api-key:" + id, v1alpha1.ChangedByAnnotation: "api-key:" + id}
	}
	first := p.API.Article(by)
	page := p.Get(link)
	p.Want(page, http.StatusOK, map[string]string{"tbody": "created, changed", "[aria-labelledby=did-title]": "It lacks what was read or refused"})
	if got := page.Links("tbody a"); !slices.Equal(got, []string{pagetest.In("articles", first.Name)}) {
		t.Errorf("the articles are %v, want %s", got, first.Name)
	}
	for range 50 {
		p.API.Article(by)
	}
	older := p.Get(p.Get(link).Links("a[rel=next]")[0])
	if got := older.Links("tbody a"); len(got) != 1 || len(older.Links("a[rel=next]")) != 0 {
		t.Errorf("the second page has %v, want one article and no more pages", got)
	}
	p.Want(p.Submit(page, "main form[action$='/revoke']", nil), http.StatusSeeOther, nil)
	p.Want(p.Get(link), http.StatusSeeOther, nil)
}

func TestWhoMayNotReadSeesTheKeyAndNoArticles(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeManage)
	p.Submit(p.Get(keysPath+"/new"), "main form", url.Values{"name": {"manager"}, "scopes": {"manage"}})
	p.Want(p.Get(p.Get(keysPath).Links("tbody a")[0]), http.StatusOK, map[string]string{"[aria-labelledby=did-title]": "You need the scope read"})
}
