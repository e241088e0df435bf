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
	"github.com/pressroom-dev/pressroom/apiserver/login/logintest"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// undecided sends a form back in which reading alone is ticked, in one workspace.
func undecided(t *testing.T, w *world) *httptest.ResponseRecorder {
	t.Helper()
	return approve(t, w, asking(), func(f url.Values) {
		f["decision"], f["scope"], f["reach"], f["workspace"] = nil, []string{"read"}, []string{"some"}, []string{"acme-shop"}
	})
}

func TestAFormComesBackAsItWasSent(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	sent := undecided(t, w)
	if strings.Contains(sent.Header().Get("Location"), "decided") {
		t.Errorf("the problem is in the address: %s", sent.Header().Get("Location"))
	}
	page := testkit.Main(w.Get(sent.Header().Get("Location")))
	for _, want := range []string{
		`role="alert"`, `value="read" checked`, `value="write">`, `value="some" checked`, `value="acme-shop" checked`, `value="acme-blog">`, `value="all">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s: %s", want, page)
		}
	}
	// Coming back to the page another time, by whichever way, shows it as new.
	if again := testkit.Main(w.Get(asking())); strings.Contains(again, `role="alert"`) || !strings.Contains(again, `value="write" checked`) {
		t.Errorf("the problem is shown twice: %s", again)
	}
}

func TestAProblemIsShownWhereItBelongs(t *testing.T) {
	tests := []struct {
		name    string
		between func(w *world) (path string)
		want    bool
	}{
		{"on the page of the form", func(*world) string { return asking() }, true},
		{"a moment later", func(w *world) string { w.Clock.SetTime(logintest.Start.Add(59 * time.Second)); return asking() }, true},
		{"a minute later", func(w *world) string { w.Clock.SetTime(logintest.Start.Add(time.Minute)); return asking() }, false},
		{"for another request", func(*world) string { return asking("scope", "read") }, false},
		{"in another session", func(w *world) string { w.SignIn(); return asking() }, false},
		{"to nobody in particular", func(w *world) string { w.Post(login.SignOutPath, nil); return asking() }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.SignIn()
			undecided(t, w)
			page := w.Get(tt.between(w))
			if got := strings.Contains(testkit.Main(page), "Nothing has been decided"); got != tt.want || page.Code != http.StatusOK {
				t.Errorf("shown: %v, want %v (%d)", got, tt.want, page.Code)
			}
		})
	}
}

func TestMoreTicksThanACookieHoldsAreTickedAnew(t *testing.T) {
	w := newWorld(t)
	w.workspaces = nil
	for i := range 101 {
		w.workspaces = append(w.workspaces, fmt.Sprintf("%s-%03d", strings.Repeat("w", 50), i))
	}
	w.SignIn()
	got := approve(t, w, asking(), func(f url.Values) { f["reach"], f["workspace"] = []string{"some"}, w.workspaces })
	page := testkit.Main(w.Get(got.Header().Get("Location")))
	if !strings.Contains(page, "Tick at most 100 workspaces") || strings.Contains(page, `-000" checked`) || !strings.Contains(page, `value="some" checked`) ||
		len(w.store.created) != 0 {
		t.Errorf("created %v: %.3000s", w.store.created, page)
	}
	sent(t, approve(t, w, asking(), func(f url.Values) { f["reach"], f["workspace"] = []string{"some"}, w.workspaces[1:] }), callback)
	if len(w.store.created) != 1 || len(w.store.created[0].Workspaces) != 100 {
		t.Errorf("created %v", w.store.created)
	}
}

func TestAFormThatWasOpenForTooLongIsShownAnew(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	late := approve(t, w, asking(), func(url.Values) { w.Clock.SetTime(logintest.Start.Add(time.Hour)) })
	if got := w.Problem(late, asking()); !strings.Contains(got, "open for too long") || len(w.store.created) != 0 {
		t.Errorf("got %q, created %v", got, w.store.created)
	}
	// Who signs in late gets where they wanted to go all the same.
	w = newWorld(t)
	back := w.Hidden(w.Get(asking()), "return")
	w.Clock.SetTime(logintest.Start.Add(3 * time.Hour))
	got := w.Post(login.SignInPath, url.Values{"key": {w.Key.Reveal()}, "return": {back}})
	if got.Header().Get("Location") != asking() || !w.SignedIn() {
		t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
	}
}
