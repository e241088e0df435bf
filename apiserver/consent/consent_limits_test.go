package consent_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
)

func TestOnePersonCannotAskForAnyNumberOfPages(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	answered := 0
	for range 200 {
		page := site.Get(consent.ConnectedPath)
		if page.Code == http.StatusOK {
			answered++
			continue
		}
		if page.Code != http.StatusTooManyRequests || page.Header().Get("Retry-After") == "" {
			t.Fatalf("got %d", page.Code)
		}
	}
	if answered < 50 || answered > 100 {
		t.Errorf("%d of 200 pages were shown, want about 50", answered)
	}
}

func TestAPageHasADeadline(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	site.Get(consent.ConnectedPath)
	if _, ok := site.store.listedIn.Deadline(); !ok {
		t.Error("the list of grants has no deadline")
	}
	sent(t, approve(t, site, asking(), nil), callback+"&")
	if _, ok := site.store.createdIn.Deadline(); !ok {
		t.Error("the consent has no deadline")
	}
}
