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
