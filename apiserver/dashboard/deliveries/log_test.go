package deliveries_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestTheLogOfAnArticleHasItsCyclesNewestFirst(t *testing.T) {
	p := pagetest.SignIn(t)
	a := p.API.InDelivery(1, v1alpha1.CycleFailed, 1, 503)
	page := p.Get(pagetest.In("articles", a.Name, "deliveries"))
	p.Want(page, http.StatusOK, map[string]string{
		"#delivery-state .badge": "Failed", "#delivery-2 h2": "Delivery 2 Failed", "#delivery-2 tbody tr": "503", "#delivery-1 h2": "Delivery 1",
	})
	if first := page.Find("section[id^=delivery-]:not(#delivery-state)").First().AttrOr("id", ""); first != "delivery-2" {
		t.Errorf("the first one is %s", first)
	}
}

func TestAnArticleOfWhichNothingWasSentHasNoLog(t *testing.T) {
	p := pagetest.SignIn(t)
	page := p.Get(pagetest.In("articles", p.API.Article(nil).Name, "deliveries"))
	p.Want(page, http.StatusOK, map[string]string{"main": "Nothing has been sent yet"})
	if page.Find("#request-title").Length() != 0 {
		t.Error("the page shows a request")
	}
	for _, uid := range []string{operationtest.AnyUID, "x"} {
		p.Want(p.Get(pagetest.In("articles", uid, "deliveries")), http.StatusNotFound, nil)
	}
}
