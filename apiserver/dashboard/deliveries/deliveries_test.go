package deliveries_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

const secondSite = "0198f0a1-0000-7000-8000-000000000003"

func TestEachStateHasATabWithItsArticles(t *testing.T) {
	p := pagetest.SignIn(t)
	failed := p.API.InDelivery(1, v1alpha1.CycleFailed, 4, 503).Name
	retrying := p.API.InDelivery(2, v1alpha1.CycleRetryScheduled, 1, 503).Name
	list := pagetest.In("deliveries")
	page := p.Get(list)
	p.Want(page, http.StatusOK, map[string]string{
		".tabs": "Failed 1Retrying 1In progress 0Delivered 0", ".tabs [aria-current]": "Failed 1", "#delivery-of-" + failed: "5034 of 4",
		"form.card button": "Send the 1 article that failed again",
	})
	if got := page.Find("tbody tr").Length(); got != 1 {
		t.Errorf("%d rows, want that of the article that failed", got)
	}
	p.Want(p.Get(list+"?state=retry_scheduled&site="+operationtest.SiteUID), http.StatusOK, map[string]string{"#delivery-of-" + retrying: "1 of 4"})
	p.Want(p.Get(list+"?state=delivering"), http.StatusOK, map[string]string{"main": "Nothing is being sent"})
	p.Want(p.Get(list+"?state=made-up&site=made-up&before="), http.StatusOK, map[string]string{".tabs [aria-current]": "Failed 1"})
}

func TestADeliveryThatIsTriedAgainIsCountedAndFoundBeforeItFails(t *testing.T) {
	p := pagetest.SignIn(t)
	late := p.API.InDelivery(1, v1alpha1.CycleRetryScheduled, 2, 404)
	list := p.Get(pagetest.In("deliveries"))
	p.Want(list, http.StatusOK, map[string]string{
		"nav [data-go=d] .count": "1 not arriving yet", ".tabs [aria-current]": "Retrying 1", "#delivery-of-" + late.Name: "2 of 4",
	})
	if list.Find("nav [data-go=d] .count.late").Length() != 1 {
		t.Error("the number is not amber")
	}
	p.API.InDelivery(2, v1alpha1.CycleFailed, 4, 503)
	list = p.Get(pagetest.In("deliveries"))
	p.Want(list, http.StatusOK, map[string]string{
		"nav [data-go=d] .count": "1 failed", "#nav-late": "1 not arriving yet", ".tabs [aria-current]": "Failed 1",
	})
	if list.Find("#nav-late[hidden]").Length() != 0 {
		t.Error("what has not arrived is not counted beside what failed")
	}
}

func TestThePageOpensWithWhatThereIs(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.InDelivery(1, v1alpha1.CycleAccepted, 1, 200)
	p.Want(p.Get(pagetest.In("deliveries")), http.StatusOK, map[string]string{".tabs [aria-current]": "Delivered 1"})
}

func TestASiteIsChosenBeforeAllOfItIsSentAgain(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Site(operationtest.Workspace, secondSite)
	failed := p.API.InDelivery(1, v1alpha1.CycleFailed, 4, 503).Name
	list := pagetest.In("deliveries")
	page := p.Get(list)
	p.Want(page, http.StatusOK, map[string]string{"main": "Choose a site to send all that failed of it again."})
	if got := page.Find("form[method=get] select option").Length(); got != 3 {
		t.Errorf("%d choices, want all sites and each", got)
	}
	p.Want(p.Get(list+"?state=failed&site="+operationtest.SiteUID), http.StatusOK, map[string]string{
		"#delivery-of-" + failed: "blog.example.com", "form.card button": "Send the 1 article that failed again",
	})
	p.Want(p.Get(list+"?state=failed&site="+secondSite), http.StatusOK, map[string]string{"main": "Nothing has failed"})
}

func TestOnlyThoseWhoMayWriteSendAgain(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	p.API.InDelivery(1, v1alpha1.CycleFailed, 4, 503)
	page := p.Get(pagetest.In("deliveries"))
	p.Want(page, http.StatusOK, nil)
	if got := page.Find("main form").Length(); got != 0 {
		t.Errorf("%d forms are offered", got)
	}
}
