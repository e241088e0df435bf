package eventsubscriptions_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/pressroom-dev/pressroom/test/pagetest"
)

const hook = "https://hooks.example.com/pressroom"

// ticked are the events that a form has ticked.
func ticked(page *pagetest.Page) []string {
	return page.Find("input[name=events][checked]").Map(func(_ int, e *goquery.Selection) string { return e.AttrOr("value", "") })
}

func TestTheFormSaysAtTheFieldWhatMustBe(t *testing.T) {
	p := pagetest.SignIn(t)
	form := p.Get(pagetest.In("events", "new"))
	wrong := p.Submit(form, "main form", url.Values{"url": {""}, "events": {"blog.failed"}})
	p.Want(wrong, http.StatusUnprocessableEntity, nil)
	if got := ticked(wrong); wrong.Find("#url-problem").Length() != 1 || !slices.Equal(got, []string{"blog.failed"}) {
		t.Errorf("%v is ticked in %s", got, wrong.Text("main"))
	}
	none := p.Submit(form, "main form", url.Values{"url": {hook}, "events": {}})
	p.Want(none, http.StatusUnprocessableEntity, map[string]string{"#events-problem": "Choose at least one."})
	if got := none.Value("#url"); got != hook {
		t.Errorf("the address is %q", got)
	}
	p.Want(p.Get(pagetest.In("events")), http.StatusOK, map[string]string{"main": "Nobody is told yet"})
}

func TestAChatBeginsWithWhatPeopleWaitFor(t *testing.T) {
	p := pagetest.SignIn(t)
	links := p.Get(pagetest.In("events")).Links("main a[href*='format=']")
	if len(links) == 0 {
		t.Fatal("no link leads to the form for chats")
	}
	chat := p.Get(links[0])
	if got := ticked(chat); chat.Value("input[name=format][checked]") != "slack" || !slices.Equal(got, []string{"blog.ready_for_review", "blog.failed", "site.failing"}) {
		t.Errorf("the form begins with %v for %s", got, chat.Value("input[name=format][checked]"))
	}
}

func TestASubscriptionIsMadeOnAPageThatShowsItsSecretOnce(t *testing.T) {
	p := pagetest.SignIn(t)
	made := p.Submit(p.Get(pagetest.In("events", "new")), "main form", url.Values{"url": {hook}})
	p.Want(made, http.StatusOK, map[string]string{"h1": "Subscribed"})
	secret := made.Value("#secret")
	if !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("the secret is %q", secret)
	}
	one := p.Get(made.Links("main a.primary")[0])
	p.Want(one, http.StatusOK, map[string]string{"h1": "Events to " + hook, "main": "Nothing has been sent"})
	if strings.Contains(one.Text("html"), secret) {
		t.Error("the page of the subscription shows the secret")
	}
}

func TestATokenOfGitHubIsEnteredAndNeverShown(t *testing.T) {
	const address, token = "https://api.github.com/repos/acme/blog-content/dispatches", "github_pat_11AAAAAAA0example"
	p := pagetest.SignIn(t)
	form := p.Get(pagetest.In("events", "new"))
	missing := p.Submit(form, "main form", url.Values{"url": {address}, "format": {"github"}})
	p.Want(missing, http.StatusUnprocessableEntity, map[string]string{"#token-problem": "Must be given with the format github."})
	wrong := p.Submit(form, "main form", url.Values{"url": {hook}, "token": {token}})
	p.Want(wrong, http.StatusUnprocessableEntity, map[string]string{"#token-problem": "May not be given without the format github."})
	made := p.Submit(form, "main form", url.Values{"url": {address}, "format": {"github"}, "token": {token}})
	p.Want(made, http.StatusSeeOther, nil)
	one := p.Get(made.Header.Get("Location"))
	p.Want(one, http.StatusOK, map[string]string{"h1": "Events to " + address, "#subscription": "Workflows of GitHub"})
	edit := p.Get(one.Links("main a[href$='/edit']")[0])
	if got := edit.Value("#url"); got != address {
		t.Errorf("the address is %q", got)
	}
	saved := p.Submit(edit, "main form", url.Values{"events": {"blog.failed"}})
	p.Want(saved, http.StatusSeeOther, nil)
	moved := p.Submit(p.Get(one.Links("main a[href$='/edit']")[0]), "main form", url.Values{"url": {address[:len(address)-len("dispatches")] + "x/dispatches"}})
	p.Want(moved, http.StatusUnprocessableEntity, map[string]string{"#token-problem": "Must be given with another url."})
	for name, page := range map[string]*pagetest.Page{"missing": missing, "wrong": wrong, "made": made, "one": one, "edit": edit, "saved": saved, "moved": moved} {
		if html, err := page.Html(); err != nil || strings.Contains(html, token) {
			t.Errorf("%s: the page shows the token, or cannot be read: %v", name, err)
		}
	}
}
