package consent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
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
	w.signIn()
	sent := undecided(t, w)
	if strings.Contains(sent.Header().Get("Location"), "decided") {
		t.Errorf("the problem is in the address: %s", sent.Header().Get("Location"))
	}
	page := text(w.get(sent.Header().Get("Location")))
	for _, want := range []string{
		`role="alert"`, `value="read" checked`, `value="write">`, `value="some" checked`, `value="acme-shop" checked`, `value="acme-blog">`, `value="all">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s: %s", want, page)
		}
	}
	// Coming back to the page another time, by whichever way, shows it as new.
	if again := text(w.get(asking())); strings.Contains(again, `role="alert"`) || !strings.Contains(again, `value="write" checked`) {
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
		{"a moment later", func(w *world) string { w.clock.SetTime(start.Add(59 * time.Second)); return asking() }, true},
		{"a minute later", func(w *world) string { w.clock.SetTime(start.Add(time.Minute)); return asking() }, false},
		{"for another request", func(*world) string { return asking("scope", "read") }, false},
		{"in another session", func(w *world) string { w.signIn(); return asking() }, false},
		{"to nobody in particular", func(w *world) string { w.post(consent.SignOutPath, nil); return asking() }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.signIn()
			undecided(t, w)
			page := w.get(tt.between(w))
			if got := strings.Contains(text(page), "Nothing has been decided"); got != tt.want || page.Code != http.StatusOK {
				t.Errorf("shown: %v, want %v (%d)", got, tt.want, page.Code)
			}
		})
	}
}

func TestMoreTicksThanACookieHoldsAreTickedAnew(t *testing.T) {
	w := newWorld(t)
	w.rooms = nil
	for i := range 101 {
		w.rooms = append(w.rooms, fmt.Sprintf("%s-%03d", strings.Repeat("w", 50), i))
	}
	w.signIn()
	got := approve(t, w, asking(), func(f url.Values) { f["reach"], f["workspace"] = []string{"some"}, w.rooms })
	page := text(w.get(got.Header().Get("Location")))
	if !strings.Contains(page, "Tick at most 100 workspaces") || strings.Contains(page, `-000" checked`) || !strings.Contains(page, `value="some" checked`) ||
		len(w.created) != 0 {
		t.Errorf("created %v: %.3000s", w.created, page)
	}
	sent(t, approve(t, w, asking(), func(f url.Values) { f["reach"], f["workspace"] = []string{"some"}, w.rooms[1:] }), callback)
	if len(w.created) != 1 || len(w.created[0].Workspaces) != 100 {
		t.Errorf("created %v", w.created)
	}
}

func TestAFormThatWasOpenForTooLongIsShownAnew(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	late := approve(t, w, asking(), func(url.Values) { w.clock.SetTime(start.Add(time.Hour)) })
	if got := w.problem(late, asking()); !strings.Contains(got, "open for too long") || len(w.created) != 0 {
		t.Errorf("got %q, created %v", got, w.created)
	}
	// Who signs in late gets where they wanted to go all the same.
	w = newWorld(t)
	back := hidden(t, w.get(asking()), "return")
	w.clock.SetTime(start.Add(3 * time.Hour))
	got := w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}, "return": {back}})
	if got.Header().Get("Location") != asking() || !w.signedIn() {
		t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
	}
}
