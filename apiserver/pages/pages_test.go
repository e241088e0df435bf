package pages_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// site is one page with a form, and a browser.
type site struct {
	*testkit.Browser

	frame *pages.Frame
	clock *clocktesting.FakePassiveClock
	// notice is what the form is answered with, and taken what the page was shown with.
	notice, taken pages.Notice
}

func newSite(t *testing.T) *site {
	t.Helper()
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		t.Fatal(err)
	}
	s := &site{clock: clocktesting.NewFakePassiveClock(start)}
	s.frame = pages.New(pages.Options{Keys: keys, Clock: s.clock, Log: logr.Discard()})
	views := s.frame.Views(fstest.MapFS{"any/page.html": {
		Data: []byte(`{{template "head" .}}<h1>{{name .Body.Name "Nobody"}}</h1>{{template "problem" .Body.Problem}}{{template "foot" .}}`),
	}})
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	g := s.frame.Group(router)
	g.GET("/page", func(c *gin.Context) {
		s.taken = s.frame.TakeNotice(c, "/page", c.Query("session"))
		views.Show(c, http.StatusOK, "page.html", "A page", map[string]string{"Name": c.Query("name"), "Problem": s.taken.Problem})
	})
	g.POST("/page", func(c *gin.Context) { s.frame.SendBack(c, "/page", s.notice) })
	s.Browser = testkit.NewBrowser(t, router)
	return s
}

func TestPagesThatAreNotReadySaySo(t *testing.T) {
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		t.Fatal(err)
	}
	ready := false
	frame := pages.New(pages.Options{
		Keys: keys, Clock: clocktesting.NewFakePassiveClock(start), Log: logr.Discard(), Ready: func() bool { return ready },
	})
	router := gin.New()
	frame.Group(router).GET("/page", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	browser := testkit.NewBrowser(t, router)
	got := browser.Get("/page")
	if got.Code != http.StatusServiceUnavailable || !strings.Contains(testkit.Main(got), "Not set up yet") || got.Header().Get("X-Frame-Options") != "DENY" {
		t.Errorf("got %d %v: %s", got.Code, got.Header(), got.Body)
	}
	ready = true
	if got := browser.Get("/page"); got.Code != http.StatusNoContent {
		t.Errorf("got %d when it is ready", got.Code)
	}
}

func TestAPackageOfPagesNeedsNothingButAFrame(t *testing.T) {
	s := newSite(t)
	got := s.Get("/page?name=" + url.QueryEscape("Mara\u202e <b>"))
	if got.Code != http.StatusOK || !strings.Contains(testkit.Main(got), "<h1>Mara &lt;b&gt;</h1>") ||
		!strings.Contains(got.Body.String(), "<title>A page · Pressroom</title>") {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
	if got := s.Get("/page?name=%E2%80%8B"); !strings.Contains(testkit.Main(got), "<h1>Nobody</h1>") {
		t.Errorf("a name of invisible letters is shown as %s", testkit.Main(got))
	}
	q := httptest.NewRequest(http.MethodPost, "/page", nil)
	q.Header.Set("Sec-Fetch-Site", "cross-site")
	if got := s.Do(q); got.Code != http.StatusForbidden || !strings.Contains(testkit.Main(got), "Nothing has been done") {
		t.Errorf("a form from elsewhere: %d", got.Code)
	}
	if got := s.Post("/page", url.Values{"x": {strings.Repeat("x", 128<<10)}}); got.Code != http.StatusBadRequest {
		t.Errorf("a form that is too large: %d", got.Code)
	}
}

func TestANoticeIsShownOnceToItsSession(t *testing.T) {
	s := newSite(t)
	s.notice = pages.Notice{Problem: "Something is missing.", Field: "title", Form: url.Values{"title": {""}, "text": {"kept"}}}
	sent := s.Post("/page", nil)
	if s.Get("/page?session=other"); s.taken.Problem != "" {
		t.Errorf("another session is shown %+v", s.taken)
	}
	if got := s.Problem(sent, "/page"); got != "Something is missing." || !reflect.DeepEqual(s.taken, s.notice) {
		t.Errorf("got %q, took %+v", got, s.taken)
	}
	if s.Get("/page"); s.taken.Problem != "" {
		t.Errorf("it is shown again: %+v", s.taken)
	}
	s.Post("/page", nil)
	s.clock.SetTime(start.Add(time.Minute))
	if s.Get("/page"); s.taken.Problem != "" {
		t.Errorf("it is shown a minute later: %+v", s.taken)
	}
}

func TestOfAFormThatIsTooLargeForANoticeTheLargestFieldIsLost(t *testing.T) {
	s := newSite(t)
	s.notice = pages.Notice{Problem: "No.", Form: url.Values{"text": {strings.Repeat("x", 4000)}, "title": {"kept"}}}
	if got := s.Problem(s.Post("/page", nil), "/page"); got != "No." || !reflect.DeepEqual(s.taken.Form, url.Values{"title": {"kept"}}) {
		t.Errorf("got %q, took %+v", got, s.taken)
	}
}

func TestATicketIsForItsPurposeAndItsTime(t *testing.T) {
	s := newSite(t)
	sealed, err := s.frame.SealTicket("revoke", "session", "\xffgrant")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.frame.OpenTicket("revoke", sealed)
	if err != nil || got.Session != "session" || string(got.Subject) != "\xffgrant" {
		t.Errorf("OpenTicket = %+v, %v", got, err)
	}
	for name, err := range map[string]error{
		"another purpose": second(s.frame.OpenTicket("other", sealed)), "made up": second(s.frame.OpenTicket("revoke", "x")),
	} {
		if !errors.Is(err, seal.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	s.clock.SetTime(start.Add(pages.FormLife))
	if got, err := s.frame.OpenTicket("revoke", sealed); !errors.Is(err, pages.ErrStale) || string(got.Subject) != "\xffgrant" {
		t.Errorf("an hour later: %+v, %v, want ErrStale and the ticket", got, err)
	}
}

func second(_ pages.Ticket, err error) error { return err }

func TestAPageThatNobodyWaitsForIsNoErrorInTheLog(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	for lines, browser := range []context.Context{gone, t.Context()} {
		logged := 0
		frame := pages.New(pages.Options{Clock: clocktesting.NewFakePassiveClock(start), Log: funcr.New(func(string, string) { logged++ }, funcr.Options{})})
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(browser, http.MethodGet, "/page", http.NoBody)
		frame.Unavailable(c, errors.New("kube-apiserver does not answer"))
		if logged != lines {
			t.Errorf("a request with the error %v: %d lines in the log, want %d", browser.Err(), logged, lines)
		}
	}
}
