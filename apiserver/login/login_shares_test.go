package login_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
)

// visitor returns a request with the session of somebody who has signed in with a key.
func visitor(t *testing.T, s *logintest.Site, key, account string) *http.Request {
	t.Helper()
	answer := httptest.NewRecorder()
	if err := (login.Sessions{Cookies: s.Frame.Cookies}).Start(answer, login.Session{KeyID: key, Account: account}); err != nil {
		t.Fatal(err)
	}
	q := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
	for _, cookie := range answer.Result().Cookies() {
		q.AddCookie(cookie)
	}
	s.People[key] = login.Person{ID: key, Account: account}
	return q
}

// Every key of an account is a person, so the account has a share as well.
func TestAnAccountHasAShareOfVisits(t *testing.T) {
	for name, tt := range map[string]struct {
		ask func(*login.Login, *gin.Context) (login.Person, error)
		// wantPerson and wantAccount are how often they may ask at once.
		wantPerson, wantAccount int
	}{
		"visits":     {(*login.Login).Person, 50, 100},
		"background": {(*login.Login).Background, 200, 400},
	} {
		t.Run(name, func(t *testing.T) {
			s := logintest.New(t, logintest.Options{})
			may := func(q *http.Request) bool {
				_, err := tt.ask(s.Login, &gin.Context{Request: q})
				return err == nil
			}
			asked := 0
			for key := range 20 {
				q := visitor(t, s, fmt.Sprint("key-", key), "acme")
				n := 0
				for n < 1000 && may(q) {
					n++
				}
				if asked += n; n > tt.wantPerson {
					t.Fatalf("a person asks %d times at once, want %d", n, tt.wantPerson)
				}
			}
			if asked != tt.wantAccount {
				t.Errorf("20 people of an account ask %d times at once, want %d", asked, tt.wantAccount)
			}
			if !may(visitor(t, s, "other", "rival")) {
				t.Error("another account has no share")
			}
		})
	}
}

// A form counts for the person and the account of its session, and those of a stranger for the network that they come from.
func TestFormsCountForWhoHasSignedIn(t *testing.T) {
	s := logintest.New(t, logintest.Options{})
	q := visitor(t, s, "key", "acme")
	if h, signedIn := s.Frame.Whose(q); !signedIn || h.Account != "acme" || h.Person == "" || h.Session == "" {
		t.Errorf("a person is %+v", h)
	}
	stranger := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
	stranger.RemoteAddr = "[2001:db8:1:2:3::4]:5000"
	if h, signedIn := s.Frame.Whose(stranger); signedIn || h.Account != "2001:db8:1:2::/64" {
		t.Errorf("a stranger is %+v", h)
	}
}
