package login_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/test/logintest"
)

// linked is a site on which links sign in, and a function that makes one.
func linked(t *testing.T) (*logintest.Site, func() string) {
	t.Helper()
	keys := logintest.NewKeys(t)
	s := logintest.New(t, logintest.Options{
		Keys:  func(*clocktesting.FakePassiveClock) seal.Sealer { return keys },
		Login: func(o *login.Options) { o.Links = true },
	})
	return s, func() string {
		path, err := login.NewLink(keys, s.Clock.Now(), s.Key.ID, "uid")
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
}

// follow opens a link from an address.
func follow(t *testing.T, s *logintest.Site, path, from string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	q := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	q.RemoteAddr = from
	for _, name := range header {
		q.Header.Set(name, "127.0.0.1")
	}
	return s.Do(q)
}

func TestALinkSignsInOnce(t *testing.T) {
	s, link := linked(t)
	path := link()
	got := follow(t, s, path, "127.0.0.1:5000")
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != logintest.Home || s.Cookies[login.CookieName] == "" {
		t.Fatalf("got %d to %q, cookies %v", got.Code, got.Header().Get("Location"), s.Cookies)
	}
	if got := s.Session(); got.KeyID != s.Key.ID || got.KeyUID != "uid" || !got.Expires.Equal(logintest.Start.Add(login.SessionLife)) {
		t.Errorf("the session is %+v", got)
	}
	clear(s.Cookies)
	if got := follow(t, s, path, "127.0.0.1:5000"); got.Code != http.StatusGone || len(s.Cookies) > 0 {
		t.Errorf("the second time: got %d, cookies %v", got.Code, s.Cookies)
	}
	if got := follow(t, s, link(), "[::1]:5000"); got.Code != http.StatusSeeOther {
		t.Errorf("another link: got %d", got.Code)
	}
}

func TestALinkWorksNowhereElse(t *testing.T) {
	s, link := linked(t)
	for name, open := range map[string]func() *httptest.ResponseRecorder{
		"from another machine": func() *httptest.ResponseRecorder { return follow(t, s, link(), "192.0.2.1:5000") },
		"through a proxy":      func() *httptest.ResponseRecorder { return follow(t, s, link(), "127.0.0.1:1", "X-Forwarded-For") },
		"through another":      func() *httptest.ResponseRecorder { return follow(t, s, link(), "127.0.0.1:1", "Forwarded") },
		"changed":              func() *httptest.ResponseRecorder { return follow(t, s, link()+"x", "127.0.0.1:1") },
		"without a ticket":     func() *httptest.ResponseRecorder { return follow(t, s, login.LinkPath, "127.0.0.1:1") },
		"after an hour": func() *httptest.ResponseRecorder {
			path := link()
			s.Clock.SetTime(s.Clock.Now().Add(time.Hour))
			return follow(t, s, path, "127.0.0.1:1")
		},
	} {
		if got := open(); got.Code != http.StatusGone || len(s.Cookies) > 0 {
			t.Errorf("%s: got %d, cookies %v", name, got.Code, s.Cookies)
		}
	}
}

func TestLinksAreOffUnlessTheFacadeListensOnLoopback(t *testing.T) {
	s := logintest.New(t, logintest.Options{})
	if got := follow(t, s, login.LinkPath+"?ticket="+strings.Repeat("a", 40), "127.0.0.1:1"); got.Code != http.StatusNotFound {
		t.Errorf("got %d, want 404", got.Code)
	}
}
