package session_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/session"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newKey(t *testing.T) string {
	t.Helper()
	key, err := session.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func keysOf(t *testing.T, lines ...string) session.Keys {
	t.Helper()
	keys, err := session.ParseKeys([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestWhatIsSealedOpensForItsPurposeAlone(t *testing.T) {
	keys := keysOf(t, newKey(t))
	sealed, err := keys.Seal("one", []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := keys.Open("one", sealed); err != nil || string(text) != "text" {
		t.Errorf("Open = %q, %v", text, err)
	}
	if strings.Contains(sealed, "text") {
		t.Error("the text can be read")
	}
	if _, err := keys.Open("another", sealed); err == nil {
		t.Error("what was sealed for one purpose opens for another")
	}
	if _, err := keysOf(t, newKey(t)).Open("one", sealed); err == nil {
		t.Error("a foreign key opens it")
	}
	for i := range sealed {
		changed := []byte(sealed)
		changed[i] ^= 1
		if _, err := keys.Open("one", string(changed)); err == nil {
			t.Fatalf("it opens with character %d changed", i)
		}
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := len(sealed) - 1
	other := sealed[:last] + string(alphabet[strings.IndexByte(alphabet, sealed[last])^1])
	if _, err := keys.Open("one", other); err == nil {
		t.Error("it opens in another form, which differs in bits that count for nothing")
	}
	large, err := keys.Seal("one", make([]byte, 64<<10))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Open("one", large); err == nil {
		t.Error("it opens however large it is")
	}
	for _, short := range []string{"", "A", sealed[:20]} {
		if _, err := keys.Open("one", short); err == nil {
			t.Errorf("%q opens", short)
		}
	}
}

func TestKeysRotateWithoutSigningAnybodyOut(t *testing.T) {
	older, newer, newest := newKey(t), newKey(t), newKey(t)
	sealed, err := keysOf(t, older).Seal("p", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keysOf(t, newer, older).Open("p", sealed); err != nil {
		t.Error("the key before does not open")
	}
	if _, err := keysOf(t, newest, newer).Open("p", sealed); err == nil {
		t.Error("a key that is gone opens")
	}
	sealed, err = keysOf(t, newer, older).Seal("p", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keysOf(t, newer).Open("p", sealed); err != nil {
		t.Error("the first key does not seal")
	}
}

func TestKeyFilesMustBeRight(t *testing.T) {
	key := newKey(t)
	tests := []struct {
		name, content string
		wantErr       bool
	}{
		{"one", key, false},
		{"two, with comments", "# newest\n" + key + "\n\n" + newKey(t) + "\n", false},
		{"none", "# nothing\n", true},
		{"three", strings.Join([]string{key, key, key}, "\n"), true},
		{"short", "c2hvcnQ=", true},
		{"not base64", "!" + key[1:], true},
		{"with something after it", key + " x", true},
		{"long", key[:43] + "AAAA=", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := session.ParseKeys([]byte(tt.content))
			if (err != nil) != tt.wantErr {
				t.Errorf("err = %v, want an error: %v", err, tt.wantErr)
			}
			if err != nil && strings.Contains(err.Error(), key) {
				t.Error("the error shows the key")
			}
		})
	}
}

func TestASessionLivesInItsCookieAndEnds(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(start)
	store := session.Store{Keys: keysOf(t, newKey(t)), Clock: clock}
	w := httptest.NewRecorder()
	if err := store.Start(w, session.Session{KeyID: "abc", Account: "acme"}); err != nil {
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
	clock.SetTime(start.Add(session.Life - time.Second))
	if _, ok := store.Read(request); !ok {
		t.Error("the session ends too early")
	}
	clock.SetTime(start.Add(session.Life))
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
	if gone := w.Result().Cookies()[0]; gone.MaxAge >= 0 || gone.Value != "" || gone.Name != session.CookieName || !gone.Secure {
		t.Errorf("signing out sets %+v", gone)
	}
}

func TestACookieForSomethingElseIsNoSession(t *testing.T) {
	store := session.Store{Keys: keysOf(t, newKey(t)), Clock: clocktesting.NewFakePassiveClock(start)}
	w := httptest.NewRecorder()
	forged := session.Session{ID: "x", KeyID: "abc", Expires: start.Add(time.Hour)}
	if err := store.Carry(w, session.Cookie{Name: "__Host-other", Pieces: 1}, forged, time.Minute); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.AddCookie(&http.Cookie{Name: session.CookieName, Value: w.Result().Cookies()[0].Value})
	if _, ok := store.Read(request); ok {
		t.Error("another cookie's value is taken as a session")
	}
}

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
	store := session.Store{Keys: keysOf(t, newKey(t)), Clock: clocktesting.NewFakePassiveClock(start)}
	large := session.Cookie{Name: "__Host-large", Pieces: 3}
	browser := jar{}
	carry := func(bytes int) error {
		w := httptest.NewRecorder()
		err := store.Carry(w, large, strings.Repeat("\xff", bytes), time.Minute)
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
		if !store.Carried(browser.request(), large, &got) || got != strings.Repeat("\xff", tt.bytes) {
			t.Errorf("%d bytes came back as %d", tt.bytes, len(got))
		}
	}
	if err := carry(8500); !errors.Is(err, session.ErrTooLarge) || len(browser) != 2 {
		t.Errorf("err = %v, %d cookies, want ErrTooLarge and those of before", err, len(browser))
	}
	var got string
	twice := browser.request()
	twice.AddCookie(&http.Cookie{Name: large.Name + "-1", Value: "other"})
	if store.Carried(twice, large, &got) {
		t.Error("two cookies of one name are taken")
	}
	second := browser[large.Name+"-1"]
	delete(browser, large.Name+"-1")
	if store.Carried(browser.request(), large, &got) {
		t.Error("a piece is enough")
	}
	browser[large.Name+"-1"] = second
	w := httptest.NewRecorder()
	store.Drop(w, large)
	if browser.take(w); len(browser) != 0 {
		t.Errorf("dropping leaves %v", browser)
	}
}

func TestFailuresAreSlowedDown(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(start)
	throttle := session.NewThrottle(clock)
	for i := range 10 {
		if wait := throttle.Wait("a"); wait != 0 {
			t.Fatalf("try %d must wait %s", i, wait)
		}
		throttle.Failed("a")
	}
	if wait := throttle.Wait("a"); wait != 15*time.Second {
		t.Errorf("the eleventh try waits %s, want 15 s", wait)
	}
	if wait := throttle.Wait("x"); wait != 0 {
		t.Errorf("somebody else waits %s", wait)
	}
	clock.SetTime(start.Add(15 * time.Second))
	if wait := throttle.Wait("a"); wait != 0 {
		t.Errorf("a further try after 15 s waits %s", wait)
	}
	throttle.Failed("a")
	if wait := throttle.Wait("a"); wait != 15*time.Second {
		t.Errorf("the try after that waits %s, want 15 s", wait)
	}
}

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	trusted := session.Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	tests := []struct {
		name, remote string
		forwarded    []string
		proxies      session.Proxies
		want         string
	}{
		{"direct", "192.0.2.7:1000", nil, nil, "192.0.2.7"},
		{"nobody is trusted", "10.1.1.1:1", []string{"192.0.2.9"}, nil, "10.1.1.1"},
		{"through a proxy", "10.1.1.1:1", []string{"192.0.2.9"}, trusted, "192.0.2.9"},
		{"through two", "10.1.1.1:1", []string{"192.0.2.9, 10.2.2.2"}, trusted, "192.0.2.9"},
		{"made up in front", "10.1.1.1:1", []string{"203.0.113.1", "192.0.2.9"}, trusted, "192.0.2.9"},
		{"made up without a proxy", "192.0.2.7:1", []string{"203.0.113.1"}, trusted, "192.0.2.7"},
		{"nonsense", "10.1.1.1:1", []string{"nonsense"}, trusted, "10.1.1.1"},
		{"before nonsense", "10.1.1.1:1", []string{"192.0.2.9, nonsense"}, trusted, "10.1.1.1"},
		{"IPv6 by its network", "[2001:db8:1:2:3::4]:1", nil, nil, "2001:db8:1:2::/64"},
		{"mapped", "[::ffff:192.0.2.7]:1", nil, nil, "192.0.2.7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			request.RemoteAddr = tt.remote
			request.Header["X-Forwarded-For"] = tt.forwarded
			if got := tt.proxies.Client(request); got != tt.want {
				t.Errorf("Client = %s, want %s", got, tt.want)
			}
		})
	}
}
