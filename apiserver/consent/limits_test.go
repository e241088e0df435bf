package consent_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
)

func TestOnePersonCannotAskForAnyNumberOfPages(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	answered := 0
	for range 200 {
		page := w.Get(consent.ConnectedPath)
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
	w := newWorld(t)
	w.SignIn()
	w.Get(consent.ConnectedPath)
	if _, ok := w.store.listedIn.Deadline(); !ok {
		t.Error("the list of grants has no deadline")
	}
	sent(t, approve(t, w, asking(), nil), callback+"&")
	if _, ok := w.store.createdIn.Deadline(); !ok {
		t.Error("the consent has no deadline")
	}
}
