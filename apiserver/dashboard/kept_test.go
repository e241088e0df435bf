package dashboard_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// unknownPeople are people of whom it is not known who they are.
type unknownPeople struct {
	benchPeople

	err error
}

func (p unknownPeople) Person(*gin.Context) (login.Person, error)     { return login.Person{}, p.err }
func (p unknownPeople) Background(*gin.Context) (login.Person, error) { return login.Person{}, p.err }

func TestWhatWasTypedIsKeptWhileItIsNotKnownWhoIsSignedIn(t *testing.T) {
	clock := clocktesting.NewFakeClock(benchBegan)
	for status, err := range map[int]error{
		http.StatusTooManyRequests: pages.ErrTooMany, http.StatusServiceUnavailable: errors.New("kube-apiserver does not answer"),
	} {
		frame := newFrame(t, clock)
		ticket, sealErr := frame.SealTicket("app form", "another session", "")
		if sealErr != nil {
			t.Fatal(sealErr)
		}
		board, newErr := dashboard.New(dashboard.Options{Frame: frame, Login: unknownPeople{err: err}, Clock: clock, Log: logr.Discard()})
		if newErr != nil {
			t.Fatal(newErr)
		}
		router := gin.New()
		board.Mount(router)
		// The length of a fine-grained access token of GitHub.
		token := strings.Repeat("t", 93)
		form := url.Values{"ticket": {ticket}, "markdown": {"a text\nof an hour"}, "token": {token}}
		q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/app/w/w/articles/u/edit", strings.NewReader(form.Encode()))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		got := httptest.NewRecorder()
		router.ServeHTTP(got, q)
		if got.Code != status || got.Header().Get("Retry-After") == "" {
			t.Errorf("got %d after %q s, want %d", got.Code, got.Header().Get("Retry-After"), status)
		}
		for _, want := range []string{"a text\nof an hour</textarea>", `name="ticket" value="` + ticket + `"`, `action="/app/w/w/articles/u/edit"`, "The server is busy", `<input type="hidden" name="token" value="` + token + `">`} {
			if !strings.Contains(got.Body.String(), want) {
				t.Errorf("the page of %d has no %q", status, want)
			}
		}
		// A form that is not ours is not made into a page, which would be five times as large.
		q = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/app/w/w/articles/u/edit", strings.NewReader("ticket=made+up&a="+strings.Repeat("%22", 1000)))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		got = httptest.NewRecorder()
		router.ServeHTTP(got, q)
		if got.Code != status || strings.Contains(got.Body.String(), "&#34;&#34;") {
			t.Errorf("a form without a valid ticket: got %d with %d bytes", got.Code, got.Body.Len())
		}
	}
}
