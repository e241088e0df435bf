package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

// somewhere returns the path of a route, whose parameters are things that are there.
func somewhere(p *pagetest.Person, path string) string {
	uids := map[string]string{"articles": p.API.Published().Name, "sites": operationtest.SiteUID}
	uids["calendar"] = uids["articles"]
	segments := strings.Split(path, "/")
	for i, s := range segments {
		switch {
		case s == ":workspace":
			segments[i] = operationtest.Workspace
		case strings.HasPrefix(s, ":") && uids[segments[i-1]] != "":
			segments[i] = uids[segments[i-1]]
		case strings.HasPrefix(s, ":"):
			segments[i] = operationtest.AnyUID
		}
	}
	return strings.Join(segments, "/")
}

// A browser asks for the address of a form when somebody opens a tab again, or a link that they were sent.
func TestTheAddressOfEachFormLeadsToAPage(t *testing.T) {
	forms := 0
	for _, r := range dashboard.Routes() {
		if r.Method != http.MethodPost {
			continue
		}
		forms++
		p := pagetest.SignIn(t)
		p.API.Objects.Ledger = &v1alpha1.AccountLedger{}
		path := somewhere(p, r.Path)
		page := p.Get(path)
		for range 2 {
			if page.Status == http.StatusSeeOther {
				page = p.Get(page.Header.Get("Location"))
			}
		}
		kind := page.Header.Get("Content-Type")
		if !strings.HasPrefix(kind, "text/html") || page.Find("main h1").Length() != 1 {
			t.Errorf("GET %s: got %d, %s", path, page.Status, kind)
		}
		// A text that is published says that it cannot be edited now.
		known := page.Status == http.StatusOK || page.Status == http.StatusConflict && strings.Contains(r.Path, "/edit")
		if !known && !strings.Contains(path, operationtest.AnyUID) {
			t.Errorf("GET %s: got %d: %s", path, page.Status, page.Text("main"))
		}
	}
	if forms < 40 {
		t.Fatalf("there are %d forms", forms)
	}
}
