package login_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
)

// withHome mounts a page that answers 200 to who is signed in.
func withHome(t *testing.T) *logintest.Site {
	t.Helper()
	w := newSite(t)
	w.Router.GET("/who", func(c *gin.Context) {
		if _, err := w.Login.Person(c); err != nil {
			c.Status(http.StatusUnauthorized)
		}
	})
	return w
}

func TestACopyOfTheCookieOpensNothingAfterSigningOut(t *testing.T) {
	w := withHome(t)
	w.SignIn()
	copied, session := w.Cookies[login.CookieName], w.Session()
	if got := w.Get("/who").Code; got != http.StatusOK {
		t.Fatalf("signed in: %d", got)
	}
	w.Post(login.SignOutPath, nil)
	if w.SignedIn() || !w.SignedOut[session.SignIn] {
		t.Errorf("the browser has the cookie: %t; signed out: %v", w.SignedIn(), w.SignedOut)
	}
	w.Cookies[login.CookieName] = copied
	if got := w.Get("/who").Code; got != http.StatusUnauthorized {
		t.Errorf("with a copy of the cookie: %d", got)
	}
	w.SignIn()
	if got := w.Get("/who").Code; got != http.StatusOK {
		t.Errorf("signed in again: %d", got)
	}
}

func TestASessionKeepsItsSignInWhenItGetsAnotherID(t *testing.T) {
	w := newSite(t)
	w.SignIn()
	first := w.Session()
	recorder := httptest.NewRecorder()
	if err := (login.Sessions{Cookies: w.Frame.Cookies}).Change(recorder, first); err != nil {
		t.Fatal(err)
	}
	for _, c := range recorder.Result().Cookies() {
		w.Cookies[c.Name] = c.Value
	}
	if second := w.Session(); second.ID == first.ID || second.SignIn != first.SignIn || first.SignIn == "" {
		t.Errorf("%+v became %+v", first, second)
	}
}

func TestWhoIsSignedOutInTheirBrowserAloneIsTold(t *testing.T) {
	w := newSite(t)
	w.SignIn()
	w.SignOutFailure = errors.New("kube-apiserver is away")
	answer := w.Post(login.SignOutPath, nil)
	if answer.Code != http.StatusServiceUnavailable || w.SignedIn() {
		t.Errorf("%d, and the browser has the cookie: %t", answer.Code, w.SignedIn())
	}
	until := logintest.Start.Add(login.SessionLife).Format(time.RFC1123)
	if !strings.Contains(answer.Body.String(), until) {
		t.Errorf("the page does not say until when a copy works: %s", answer.Body)
	}
}

func TestSignOutsThatAreRecordedAreFew(t *testing.T) {
	w := newSite(t)
	out := func() int {
		w.SignIn()
		return w.Post(login.SignOutPath, nil).Code
	}
	recorded := 0
	for out() == http.StatusSeeOther {
		recorded++
	}
	if recorded != 10 || len(w.SignedOut) != 10 {
		t.Errorf("%d sign-outs, and %d records", recorded, len(w.SignedOut))
	}
	w.Clock.SetTime(logintest.Start.Add(2 * time.Minute))
	if got := out(); got != http.StatusSeeOther {
		t.Errorf("after two minutes: %d", got)
	}
}
