package seal_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// jar is what a browser carries after an answer.
type jar map[string]string

func (j jar) take(w *httptest.ResponseRecorder) {
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(j, c.Name)
		} else {
			j[c.Name] = c.Value
		}
	}
}

func (j jar) request() *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for name, value := range j {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

func TestALargeValueIsCarriedInPieces(t *testing.T) {
	cookies := seal.Cookies{Keys: keysOf(t, newKey(t)), Clock: clocktesting.NewFakePassiveClock(start)}
	large := seal.Cookie{Name: "__Host-large", Pieces: 3}
	browser := jar{}
	carry := func(bytes int) error {
		w := httptest.NewRecorder()
		err := cookies.Set(w, large, strings.Repeat("\xff", bytes), time.Minute)
		browser.take(w)
		return err
	}
	for _, tt := range []struct{ bytes, wantCookies int }{{10, 1}, {2700, 1}, {2800, 2}, {8300, 3}, {100, 1}, {5500, 2}} {
		if err := carry(tt.bytes); err != nil || len(browser) != tt.wantCookies {
			t.Fatalf("%d bytes: %v, %d cookies, want %d", tt.bytes, err, len(browser), tt.wantCookies)
		}
		for name, value := range browser {
			if len(name)+len(value) > 3800 {
				t.Errorf("the cookie %s has %d bytes", name, len(value))
			}
		}
		var got string
		if !cookies.Read(browser.request(), large, &got) || got != strings.Repeat("\xff", tt.bytes) {
			t.Errorf("%d bytes came back as %d", tt.bytes, len(got))
		}
	}
	if err := carry(8500); !errors.Is(err, seal.ErrTooLarge) || len(browser) != 2 {
		t.Errorf("err = %v, %d cookies, want ErrTooLarge and those of before", err, len(browser))
	}
	var got string
	twice := browser.request()
	twice.AddCookie(&http.Cookie{Name: large.Name + "-1", Value: "other"})
	if cookies.Read(twice, large, &got) {
		t.Error("two cookies of one name are taken")
	}
	second := browser[large.Name+"-1"]
	delete(browser, large.Name+"-1")
	if cookies.Read(browser.request(), large, &got) {
		t.Error("a piece is enough")
	}
	browser[large.Name+"-1"] = second
	w := httptest.NewRecorder()
	cookies.Remove(w, large)
	if browser.take(w); len(browser) != 0 {
		t.Errorf("dropping leaves %v", browser)
	}
}

func TestACookieForSomethingElseIsNotTaken(t *testing.T) {
	cookies := seal.Cookies{Keys: keysOf(t, newKey(t)), Clock: clocktesting.NewFakePassiveClock(start)}
	one, other := seal.Cookie{Name: "__Host-one", Pieces: 1}, seal.Cookie{Name: "__Host-other", Pieces: 1}
	w := httptest.NewRecorder()
	if err := cookies.Set(w, other, "x", time.Minute); err != nil {
		t.Fatal(err)
	}
	var got string
	if cookies.Read((jar{one.Name: w.Result().Cookies()[0].Value}).request(), one, &got) {
		t.Errorf("another cookie's value is read as %q", got)
	}
}
