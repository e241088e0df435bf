package consent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// undecided sends a form back in which reading alone is ticked, in one workspace.
func undecided(t *testing.T, site *site) *httptest.ResponseRecorder {
	t.Helper()
	return approve(t, site, asking(), func(f url.Values) {
		f["decision"], f["scope"], f["reach"], f["workspace"] = nil, []string{"read"}, []string{"some"}, []string{"acme-shop"}
	})
}

func TestAFormComesBackAsItWasSent(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	sent := undecided(t, site)
	if strings.Contains(sent.Header().Get("Location"), "decided") {
		t.Errorf("the problem is in the address: %s", sent.Header().Get("Location"))
	}
	page := testkit.Main(site.Get(sent.Header().Get("Location")))
	for _, want := range []string{
		`role="alert"`, `value="read" checked`, `value="write">`, `value="some" checked`, `value="acme-shop" checked`, `value="acme-blog">`, `value="all">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s: %s", want, page)
		}
	}
	// Coming back to the page another time, in any way, shows it as new.
	if again := testkit.Main(site.Get(asking())); strings.Contains(again, `role="alert"`) || !strings.Contains(again, `value="write" checked`) {
		t.Errorf("the problem is shown twice: %s", again)
	}
}

func TestAProblemIsShownWhereItBelongs(t *testing.T) {
	tests := []struct {
		name    string
		between func(site *site) (path string)
		want    bool
	}{
		{"on the page of the form", func(*site) string { return asking() }, true},
		{"a moment later", func(site *site) string { site.Clock.SetTime(logintest.Start.Add(59 * time.Second)); return asking() }, true},
		{"a minute later", func(site *site) string { site.Clock.SetTime(logintest.Start.Add(time.Minute)); return asking() }, false},
		{"for another request", func(*site) string { return asking("scope", "read") }, false},
		{"in another session", func(site *site) string { site.SignIn(); return asking() }, false},
		{"to nobody in particular", func(site *site) string { site.Post(login.SignOutPath, nil); return asking() }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := newSite(t)
			site.SignIn()
			undecided(t, site)
			page := site.Get(tt.between(site))
			if got := strings.Contains(testkit.Main(page), "Nothing has been decided"); got != tt.want || page.Code != http.StatusOK {
				t.Errorf("shown: %v, want %v (%d)", got, tt.want, page.Code)
			}
		})
	}
}

func TestMoreTicksThanACookieHoldsAreTickedAnew(t *testing.T) {
	site := newSite(t)
	site.Workspaces = nil
	for i := range 101 {
		site.Workspaces = append(site.Workspaces, fmt.Sprintf("%s-%03d", strings.Repeat("w", 50), i))
	}
	site.SignIn()
	got := approve(t, site, asking(), func(f url.Values) { f["reach"], f["workspace"] = []string{"some"}, site.Workspaces })
	page := testkit.Main(site.Get(got.Header().Get("Location")))
	if !strings.Contains(page, "Tick at most 100 workspaces") || strings.Contains(page, `-000" checked`) || !strings.Contains(page, `value="some" checked`) ||
		len(site.store.created) != 0 {
		t.Errorf("created %v: %.3000s", site.store.created, page)
	}
	sent(t, approve(t, site, asking(), func(f url.Values) { f["reach"], f["workspace"] = []string{"some"}, site.Workspaces[1:] }), callback)
	if len(site.store.created) != 1 || len(site.store.created[0].Workspaces) != 100 {
		t.Errorf("created %v", site.store.created)
	}
}

func TestAFormThatWasOpenForTooLongIsShownAnew(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	late := approve(t, site, asking(), func(url.Values) { site.Clock.SetTime(logintest.Start.Add(time.Hour)) })
	if got := site.Problem(late, asking()); !strings.Contains(got, "open for too long") || len(site.store.created) != 0 {
		t.Errorf("got %q, created %v", got, site.store.created)
	}
	// Who signs in late gets where they wanted to go anyway.
	site = newSite(t)
	back := site.Hidden(site.Get(asking()), "return")
	site.Clock.SetTime(logintest.Start.Add(3 * time.Hour))
	got := site.Post(login.SignInPath, url.Values{"key": {site.Key.Reveal()}, "return": {back}})
	if got.Header().Get("Location") != asking() || !site.SignedIn() {
		t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
	}
}
