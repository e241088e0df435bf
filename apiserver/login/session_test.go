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

// sessionsAt keeps sessions sealed with a key of their own.
func sessionsAt(t *testing.T, clock *clocktesting.FakePassiveClock) login.Sessions {
	t.Helper()
	return login.Sessions{Cookies: seal.Cookies{Keys: logintest.NewKeys(t), Clock: clock}}
}

func TestASessionLivesInItsCookieAndEnds(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(start)
	store := sessionsAt(t, clock)
	w := httptest.NewRecorder()
	if err := store.Start(w, login.Session{KeyID: "abc", Account: "acme"}); err != nil {
		t.Fatal(err)
	}
	set := w.Result().Cookies()[0]
	line := w.Header().Get("Set-Cookie")
	for _, want := range []string{"__Host-", "; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax", "; Max-Age=28800;"} {
		if !strings.Contains(line, want) {
			t.Errorf("the cookie lacks %q: %s", want, line)
		}
	}
	if strings.Contains(line, "Domain") || strings.Contains(line, "acme") {
		t.Errorf("the cookie says too much: %s", line)
	}
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.AddCookie(&http.Cookie{Name: set.Name, Value: set.Value})
	got, ok := store.Read(request)
	if !ok || got.KeyID != "abc" || got.Account != "acme" || got.ID == "" {
		t.Errorf("Read = %+v, %v", got, ok)
	}
	clock.SetTime(start.Add(login.SessionLife - time.Second))
	if _, ok := store.Read(request); !ok {
		t.Error("the session ends too early")
	}
	clock.SetTime(start.Add(login.SessionLife))
	if _, ok := store.Read(request); ok {
		t.Error("the session does not end")
	}
	clock.SetTime(start)
	request.AddCookie(&http.Cookie{Name: set.Name, Value: "other"})
	if _, ok := store.Read(request); ok {
		t.Error("two cookies of one name are a session")
	}
	w = httptest.NewRecorder()
	store.End(w)
	if gone := w.Result().Cookies()[0]; gone.MaxAge >= 0 || gone.Value != "" || gone.Name != login.CookieName || !gone.Secure {
		t.Errorf("signing out sets %+v", gone)
	}
}

func TestACookieForSomethingElseIsNoSession(t *testing.T) {
	store := sessionsAt(t, clocktesting.NewFakePassiveClock(start))
	w := httptest.NewRecorder()
	forged := login.Session{ID: "x", KeyID: "abc", Expires: start.Add(time.Hour)}
	if err := store.Cookies.Set(w, seal.Cookie{Name: "__Host-other", Pieces: 1}, forged, time.Minute); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.AddCookie(&http.Cookie{Name: login.CookieName, Value: w.Result().Cookies()[0].Value})
	if _, ok := store.Read(request); ok {
		t.Error("another cookie's value is taken as a session")
	}
}
