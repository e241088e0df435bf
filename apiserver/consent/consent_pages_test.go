package consent_test

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func TestFormsFromElsewhereAreRefused(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	form := url.Values{"ticket": {site.Hidden(site.Get(asking()), "ticket")}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"}}
	for _, path := range []string{consent.ConsentPath, login.SignInPath, login.SignOutPath, consent.RevokePath} {
		for _, header := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}},
			// Browsers before Sec-Fetch-Site say this of our own forms too.
			{"Origin": {"null"}},
		} {
			q := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
			q.Header = header.Clone()
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if got := site.Do(q); got.Code != http.StatusForbidden || len(site.store.created) != 0 || len(got.Result().Cookies()) != 0 {
				t.Errorf("%s %v: got %d, created %v", path, header, got.Code, site.store.created)
			}
		}
	}
	form.Set("more", strings.Repeat("x", 200<<10))
	if got := site.Post(consent.ConsentPath, form); got.Code != http.StatusBadRequest || !strings.Contains(testkit.Main(got), "could not be read") || len(site.store.created) != 0 {
		t.Errorf("a form that is too large: %d, created %v", got.Code, site.store.created)
	}
}

func TestEveryPageIsSealedOff(t *testing.T) {
	site := newSite(t)
	signedOut := site.Get(asking())
	site.SignIn()
	nonces := map[string]bool{}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"sign-in": signedOut, "consent": site.Get(asking()), "apps": site.Get(consent.ConnectedPath), "refusal": site.Get(consent.ConsentPath),
		"redirect": site.Get(asking("scope", "nonsense")), "sign-out": site.Post(login.SignOutPath, nil),
	} {
		for header, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Cross-Origin-Resource-Policy": "same-origin",
			// An app may open the page as a popup, which its callback reports from.
			"Cross-Origin-Opener-Policy": "",
		} {
			if got := page.Header().Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
		policy := page.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy lacks %s: %s", name, want, policy)
			}
		}
		if strings.Contains(policy, "form-action") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: the policy is %s", name, policy)
		}
		if _, nonce, ok := strings.Cut(policy, "'nonce-"); ok {
			nonce, _, _ = strings.Cut(nonce, "'")
			if nonces[nonce] || len(nonce) < 20 || !strings.Contains(page.Body.String(), `<style nonce="`+nonce+`">`) {
				t.Errorf("%s: the nonce %q is used before, or not at all", name, nonce)
			}
			nonces[nonce] = true
		} else if strings.Contains(page.Body.String(), "<style") {
			t.Errorf("%s: the policy lets no style through: %s", name, policy)
		}
		if strings.Contains(page.Body.String(), "<script") || strings.Contains(page.Body.String(), " style=") {
			t.Errorf("%s needs scripts or inline styles", name)
		}
	}
}

func TestSigningInWithAKey(t *testing.T) {
	site := newSite(t)
	page := site.Get(asking())
	if page.Code != http.StatusOK || !strings.Contains(testkit.Main(page), "Newsletter Studio") || strings.Contains(testkit.Main(page), `name="scope"`) {
		t.Fatalf("got %d %s", page.Code, testkit.Main(page))
	}
	back := site.Hidden(page, "return")
	token, err := credential.New(credential.AccessToken, credential.DefaultCell, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"nothing": "", "junk": "junk", "another key": other.Reveal(), "an app's token": token.Reveal()} {
		got := site.Post(login.SignInPath, url.Values{"key": {key}, "return": {back}})
		if problem := site.Problem(got, asking()); !strings.Contains(problem, "not a valid API key") || site.SignedIn() {
			t.Errorf("%s: got %q, signed in: %v", name, problem, site.SignedIn())
		}
	}
	got := site.Post(login.SignInPath, url.Values{"key": {" " + site.Key.Reveal() + "\n"}, "return": {back}})
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() || site.Cookies[login.CookieName] == "" {
		t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
	}
	for name, back := range map[string]string{"none": "", "made up": "https://evil.example/"} {
		got := site.Post(login.SignInPath, url.Values{"key": {site.Key.Reveal()}, "return": {back}})
		if got.Header().Get("Location") != consent.ConnectedPath {
			t.Errorf("return %s leads to %q", name, got.Header().Get("Location"))
		}
	}
	out := site.Post(login.SignOutPath, nil)
	if page := site.Get(out.Header().Get("Location")); out.Code != http.StatusSeeOther || !strings.Contains(testkit.Main(page), "You are signed out") {
		t.Errorf("signing out leads to %d %s", page.Code, testkit.Main(page))
	}
	if site.SignedIn() || strings.Contains(testkit.Main(site.Get(asking())), `name="scope"`) {
		t.Error("signing out does not sign out")
	}
}

func TestASessionEndsWithItsKey(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	if !strings.Contains(testkit.Main(site.Get(asking())), `name="scope"`) {
		t.Fatal("not signed in")
	}
	delete(site.People, site.Key.ID)
	for _, path := range []string{asking(), consent.ConnectedPath} {
		if page := testkit.Main(site.Get(path)); !strings.Contains(page, `name="key"`) {
			t.Errorf("the session goes on at %s: %s", path, page)
		}
	}
}

func TestFailuresOfOursAreTold(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	site.store.failGrant = errors.New("etcd is away at 10.0.0.1")
	got := sent(t, approve(t, site, asking(), nil), callback+"&")
	if got.Get("error") != "temporarily_unavailable" || strings.Contains(got.Encode(), "10.0.0.1") {
		t.Errorf("sent %v", got)
	}
	site.store.down = errors.New("away at 10.0.0.1")
	if got := site.Get(asking()); got.Code != http.StatusServiceUnavailable || strings.Contains(got.Body.String(), "10.0.0.1") {
		t.Errorf("got %d %s", got.Code, testkit.Main(got))
	}
}

func TestWhoCannotBeLookedUpIsNotSignedOut(t *testing.T) {
	site := newSite(t)
	site.store.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+site.Key.ID)}
	site.SignIn()
	decision := func(what string) url.Values {
		return url.Values{"ticket": {site.Hidden(site.Get(asking()), "ticket")}, "decision": {what}, "scope": {"read"}, "reach": {"all"}}
	}
	approval, refusal, removal := decision("approve"), decision("deny"), url.Values{"ticket": {site.Hidden(site.Get(consent.ConnectedPath), "ticket")}}
	site.FindFailure = errors.New("away at 10.0.0.1")
	for name, got := range map[string]*httptest.ResponseRecorder{
		"the consent page": site.Get(asking()), "approving": site.Post(consent.ConsentPath, approval), "refusing": site.Post(consent.ConsentPath, refusal),
		"the apps": site.Get(consent.ConnectedPath), "removing": site.Post(consent.RevokePath, removal),
	} {
		if got.Code != http.StatusServiceUnavailable || got.Header().Get("Retry-After") == "" || strings.Contains(got.Body.String(), "10.0.0.1") {
			t.Errorf("%s: got %d to %q: %s", name, got.Code, got.Header().Get("Location"), testkit.Main(got))
		}
	}
	if len(site.store.created) != 0 || len(site.store.revoked) != 0 || !site.SignedIn() {
		t.Errorf("created %v, revoked %v, signed in: %v", site.store.created, site.store.revoked, site.SignedIn())
	}
	site.FindFailure = nil
	sent(t, site.Post(consent.ConsentPath, approval), callback)
	site.Post(consent.RevokePath, removal)
	if len(site.store.created) != 1 || len(site.store.revoked) != 1 {
		t.Errorf("once more: created %v, revoked %v", site.store.created, site.store.revoked)
	}
}

func TestPagesWithoutSessionKeysSayThatTheyCannotBeShown(t *testing.T) {
	folder := t.TempDir()
	site := newSiteWithKeys(t, func(clock *clocktesting.FakePassiveClock) seal.Sealer {
		keys, err := seal.OpenKeyFile(filepath.Join(folder, "keys"), clock)
		if err != nil {
			t.Fatal(err)
		}
		return keys
	})
	for _, path := range []string{asking(), consent.ConnectedPath} {
		if got := site.Get(path); got.Code != http.StatusServiceUnavailable || !strings.Contains(testkit.Main(got), "Not available") || strings.Contains(testkit.Main(got), folder) {
			t.Errorf("%s: got %d %s", path, got.Code, testkit.Main(got))
		}
	}
	if got := site.Post(login.SignInPath, url.Values{"key": {site.Key.Reveal()}}); got.Code != http.StatusServiceUnavailable || site.SignedIn() {
		t.Errorf("signing in: %d", got.Code)
	}
	key := testkit.SessionKey()
	if err := os.WriteFile(filepath.Join(folder, "keys"), []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	site.Clock.SetTime(logintest.Start.Add(5 * time.Second))
	site.SignIn()
	if got := site.Get(asking()); got.Code != http.StatusOK || !strings.Contains(testkit.Main(got), `name="scope"`) {
		t.Errorf("after the keys have come: %d %s", got.Code, testkit.Main(got))
	}
}
