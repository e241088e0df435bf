package login_test

import (
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/logintest"
)

func TestUnknownKeysOfAnAddressThatFailsAreSlowedDown(t *testing.T) {
	w := newSite(t)
	unknown := func() string {
		t.Helper()
		c, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return w.Problem(w.Post(login.SignInPath, url.Values{"key": {c.Reveal()}}), logintest.Home)
	}
	const wrong, wait = "not a valid API key", "Too many failed tries. Try again in 15 seconds."
	for i := range 10 {
		if got := unknown(); !strings.Contains(got, wrong) {
			t.Fatalf("try %d: %q", i, got)
		}
	}
	for range 100 {
		if got := unknown(); got != wait {
			t.Fatalf("after ten: %q", got)
		}
	}
	w.Clock.SetTime(logintest.Start.Add(15 * time.Second))
	if got := unknown(); !strings.Contains(got, wrong) {
		t.Errorf("after the wait: %q", got)
	}
}

func TestARightKeyIsNeverRefusedBecauseOfWrongOnesFromItsAddress(t *testing.T) {
	w := newSite(t)
	for range 40 {
		w.Post(login.SignInPath, url.Values{"key": {"junk"}})
	}
	if w.SignIn(); !w.SignedIn() {
		t.Error("the holder of the key is kept out")
	}
}

func TestNobodyKeepsTheHolderOfAKeyOut(t *testing.T) {
	w := newSite(t)
	// Two keys with one id, as anyone who knows the id can make up.
	var fake credential.Credential
	for _, c := range []*credential.Credential{&w.Key, &fake} {
		var err error
		if *c, err = credential.New(credential.APIKey, credential.DefaultCell, io.MultiReader(strings.NewReader("0123456789"), rand.Reader)); err != nil {
			t.Fatal(err)
		}
	}
	if fake.ID != w.Key.ID || fake.Reveal() == w.Key.Reveal() {
		t.Fatalf("the keys %s and %s are no such keys", fake.ID, w.Key.ID)
	}
	try := func(from, key string) *httptest.ResponseRecorder {
		q := httptest.NewRequest(http.MethodPost, login.SignInPath, strings.NewReader(url.Values{"key": {key}}.Encode()))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		q.RemoteAddr = from
		return w.Do(q)
	}
	// The id of a key is no secret: it is recorded with every approval of its holder.
	for range 20 {
		if got := w.Problem(try("192.0.2.66:1000", fake.Reveal()), logintest.Home); !strings.Contains(got, "not a valid API key") {
			t.Fatalf("a wrong secret: %q", got)
		}
	}
	for _, from := range []string{"192.0.2.66:1000", "192.0.2.7:1000"} {
		clear(w.Cookies)
		if try(from, w.Key.Reveal()); !w.SignedIn() {
			t.Errorf("the holder of the key is kept out at %s", from)
		}
	}
}

func TestAKeyThatCannotBeCheckedIsNotAWrongOne(t *testing.T) {
	w := newSite(t)
	w.AuthFailure = auth.ErrUnavailable
	for range 12 {
		if got := w.Post(login.SignInPath, url.Values{"key": {w.Key.Reveal()}}); got.Code != http.StatusServiceUnavailable || w.SignedIn() {
			t.Fatalf("got %d, signed in: %v", got.Code, w.SignedIn())
		}
	}
	w.AuthFailure = nil
	w.SignIn()
}
