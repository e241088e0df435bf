package consent_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

func TestNobodyIsSentToAnAddressThatIsNotRegistered(t *testing.T) {
	tests := []struct{ name, path string }{
		{"unknown client", asking("client_id", "pr_ci_other")},
		{"no client", asking("client_id", "")},
		{"an empty client", asking("client_id", "") + "&client_id="},
		{"two clients", asking() + "&client_id=" + clientID},
		{"no redirect URI", asking("redirect_uri", "")},
		{"an empty redirect URI", asking("redirect_uri", "") + "&redirect_uri="},
		{"two redirect URIs", asking() + "&redirect_uri=https%3A%2F%2Fapp.example%2Fbare"},
		{"another host", asking("redirect_uri", "https://evil.example/callback?tenant=a%20b")},
		{"a longer path", asking("redirect_uri", callback+"/more")},
		{"the query in another spelling", asking("redirect_uri", "https://app.example/callback?tenant=a+b")},
		{"without its query", asking("redirect_uri", "https://app.example/callback")},
		{"upper case", asking("redirect_uri", "https://APP.example/callback?tenant=a%20b")},
		{"a malformed client", asking("client_id", "") + "&client_id=%zz"},
		{"a malformed client beside the right one", asking() + "&client_id=%zz"},
		{"a malformed redirect URI", asking("redirect_uri", "") + "&redirect_uri=%zz"},
		{"a malformed redirect URI beside the right one", asking() + "&redirect_uri=%zz"},
		// Whatever else is wrong, it is not told to an address that is not registered.
		{"and a wrong type", asking("redirect_uri", "https://evil.example/", "response_type", "token")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.signIn()
			got := w.get(tt.path)
			if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" || !strings.Contains(text(got), "<h1>") {
				t.Errorf("got %d to %q, want our own 400 page", got.Code, got.Header().Get("Location"))
			}
			if strings.Contains(text(got), "evil.example") {
				t.Error("the page shows the address")
			}
		})
	}
}

func TestOtherErrorsGoBackToTheApp(t *testing.T) {
	public := func(w *world) { w.apps[clientID].Spec.Type = v1alpha1.OAuthClientPublic }
	readOnly := func(w *world) { w.apps[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead} }
	tests := []struct {
		name, path string
		change     func(*world)
		wantError  string
	}{
		{"another type", asking("response_type", "token"), nil, "unsupported_response_type"},
		{"two types", asking("response_type", "code") + "&response_type=code", nil, "invalid_request"},
		{"another mode", asking("response_mode", "fragment"), nil, "invalid_request"},
		{"two scopes parameters", asking("scope", "read") + "&scope=read", nil, "invalid_request"},
		{"an unknown scope", asking("scope", "read admin"), nil, "invalid_scope"},
		{"a scope in upper case", asking("scope", "Read"), nil, "invalid_scope"},
		{"a scope that the app may not have", asking("scope", "write"), readOnly, "invalid_scope"},
		{"a method without a challenge", asking("code_challenge_method", "S256"), nil, "invalid_request"},
		{"a challenge without a method", asking("code_challenge", challenge), nil, "invalid_request"},
		{"a plain challenge", asking("code_challenge", challenge, "code_challenge_method", "plain"), nil, "invalid_request"},
		{"a short challenge", asking("code_challenge", "abc", "code_challenge_method", "S256"), nil, "invalid_request"},
		{"a public client without a challenge", asking(), public, "invalid_request"},
		{"a value that is malformed", asking() + "&x=%zz", nil, "invalid_request"},
		{"a malformed value before others", strings.Replace(asking(), "?", "?x=%zz&", 1), nil, "invalid_request"},
		{"a name that is malformed", asking() + "&%zz=x", nil, "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if tt.change != nil {
				tt.change(w)
			}
			got := sent(t, w.get(tt.path), callback+"&")
			if got.Get("error") != tt.wantError || got.Get("state") != "s t&a=te%" || got.Get("iss") != issuer || got.Has("code") {
				t.Errorf("sent %v, want error %s with state and iss", got, tt.wantError)
			}
		})
	}
	t.Run("two states", func(t *testing.T) {
		got := sent(t, newWorld(t).get(asking("state", "one")+"&state=two"), callback+"&")
		if got.Get("error") != "invalid_request" {
			t.Errorf("sent %v", got)
		}
	})
	t.Run("a malformed state", func(t *testing.T) {
		got := sent(t, newWorld(t).get(asking("state", "")+"&state=%zz"), callback+"&")
		if got.Get("error") != "invalid_request" || got.Has("state") {
			t.Errorf("sent %v", got)
		}
	})
	for _, size := range []int{2049, 20 << 10} {
		t.Run(fmt.Sprintf("a state of %d bytes", size), func(t *testing.T) {
			got := sent(t, newWorld(t).get(asking("state", strings.Repeat("x", size))), callback+"&")
			if got.Get("error") != "invalid_request" || len(got.Get("state")) != size {
				t.Errorf("sent %.200v", got)
			}
		})
	}
}

// approve takes a person from the request to the redirect, with everything ticked as the page shows it.
func approve(t *testing.T, w *world, path string, change func(url.Values)) *httptest.ResponseRecorder {
	t.Helper()
	page := w.get(path)
	form := url.Values{
		"ticket": {hidden(t, page, "ticket")}, "decision": {"approve"}, "scope": {"read", "write"}, "reach": {"all"},
	}
	if change != nil {
		change(form)
	}
	return w.post(consent.ConsentPath, form)
}

func TestApprovalSendsACode(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	got := sent(t, approve(t, w, asking("code_challenge", challenge, "code_challenge_method", "S256"), nil), callback+"&")
	if want := (url.Values{"code": {"pr_ac_code"}, "state": {"s t&a=te%"}, "iss": {issuer}}); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	want := []oauth.GrantRequest{{
		ClientID: clientID, Account: "acme", Person: "api-key:" + w.key.ID, RedirectURI: callback, CodeChallenge: challenge,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
	}}
	if !reflect.DeepEqual(w.created, want) {
		t.Errorf("created %+v, want %+v", w.created, want)
	}
}

func TestAStateComesBackByteForByte(t *testing.T) {
	for _, state := range []string{"plain", "a+b c;d&e=f%", "\x00\xff\xfe", "line\r\nbreak", "“ü”", strings.Repeat("\xff", 2048)} {
		w := newWorld(t)
		w.signIn()
		got := sent(t, approve(t, w, asking("state", state), nil), callback+"&")
		if got.Get("state") != state {
			t.Errorf("state %q came back as %q", state, got.Get("state"))
		}
	}
	w := newWorld(t)
	w.signIn()
	if got := sent(t, approve(t, w, asking("state", "")+"&state=a;b", nil), callback+"&"); got.Get("state") != "a;b" {
		t.Errorf("a raw semicolon came back as %q", got.Get("state"))
	}
	if got := sent(t, approve(t, w, asking("state", ""), nil), callback+"&"); got.Has("state") {
		t.Errorf("a state was made up: %v", got)
	}
	if got := sent(t, approve(t, w, asking("redirect_uri", "https://app.example/bare"), nil), "https://app.example/bare?"); !got.Has("code") {
		t.Errorf("sent %v", got)
	}
}

func TestAnAppOnAPersonsOwnComputerMayChooseItsPort(t *testing.T) {
	const registered, asked = "http://127.0.0.1/callback?x=%41", "http://127.0.0.1:51234/callback?x=%41"
	w := newWorld(t)
	w.signIn()
	w.apps[clientID].Spec.RedirectURIs = []string{registered}
	w.apps[clientID].Spec.LoopbackPort = v1alpha1.LoopbackPortRegistered
	if got := w.get(asking("redirect_uri", asked)); got.Code != http.StatusBadRequest {
		t.Errorf("without opting in: %d to %q", got.Code, got.Header().Get("Location"))
	}
	w.apps[clientID].Spec.LoopbackPort = v1alpha1.LoopbackPortAny
	if got := sent(t, approve(t, w, asking("redirect_uri", asked), nil), asked+"&"); !got.Has("code") || w.created[0].RedirectURI != asked {
		t.Errorf("sent %v, created %+v", got, w.created)
	}
	if page := text(w.get(asking("redirect_uri", asked))); !strings.Contains(page, "a program on your own computer (127.0.0.1:51234)") {
		t.Errorf("the page does not say where it leads: %s", page)
	}
	if got := w.get(asking("redirect_uri", "http://127.0.0.1:51234/callback?x=A")); got.Code != http.StatusBadRequest {
		t.Errorf("the query in another spelling: %d", got.Code)
	}
}

func TestGetHasNoEffect(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for range 3 {
		if got := w.get(asking() + "&decision=approve&scope=read&reach=all"); got.Code != http.StatusOK || len(got.Result().Cookies()) != 0 {
			t.Errorf("got %d with cookies %v", got.Code, got.Result().Cookies())
		}
	}
	if len(w.created) != 0 {
		t.Errorf("GET created %v", w.created)
	}
}

func TestRefusingIsAccessDenied(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	got := sent(t, approve(t, w, asking("response_type", "code"), func(f url.Values) { f.Set("decision", "deny") }), callback+"&")
	if got.Get("error") != "access_denied" || got.Get("state") != "s t&a=te%" || got.Get("iss") != issuer || len(w.created) != 0 {
		t.Errorf("sent %v, created %v", got, w.created)
	}
	for _, decision := range []string{"", "maybe"} {
		undecided := approve(t, w, asking(), func(f url.Values) { f.Set("decision", decision) })
		if got := w.problem(undecided, asking()); !strings.Contains(got, "Nothing has been decided") || len(w.created) != 0 {
			t.Errorf("the decision %q: %s, created %v", decision, got, w.created)
		}
	}
}

func TestNobodyGrantsMoreThanTheyHold(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	person := w.people[w.key.ID]
	person.Scopes, person.Workspaces = []v1alpha1.Scope{v1alpha1.ScopeRead}, []string{"acme-blog"}
	w.people[w.key.ID] = person
	page := text(w.get(asking("scope", "read write")))
	if strings.Contains(page, `value="write"`) || !strings.Contains(page, `value="read"`) || strings.Contains(page, "acme-shop") || strings.Contains(page, `value="all"`) {
		t.Errorf("the page offers more than the person has: %s", page)
	}
	some := func(workspaces ...string) func(url.Values) {
		return func(f url.Values) { f["workspace"] = workspaces; f["scope"] = []string{"read"} }
	}
	tests := []struct {
		name        string
		change      func(url.Values)
		wantProblem string
	}{
		{"a scope that they do not have", func(f url.Values) { some("acme-blog")(f); f["scope"] = []string{"read", "write"} }, "Your rights have changed"},
		{"all workspaces", some(), "at least one workspace"},
		{"another workspace", some("acme-blog", "acme-shop"), "Your workspaces have changed"},
		{"somebody else's workspace", some("acme-blog", "other"), "Your workspaces have changed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := asking("scope", "read write")
			if got := w.problem(approve(t, w, path, tt.change), path); !strings.Contains(got, tt.wantProblem) || len(w.created) != 0 {
				t.Errorf("got %q, created %v", got, w.created)
			}
			w.created = nil
		})
	}
	got := sent(t, approve(t, w, asking("scope", "read write"), some("acme-blog")), callback+"&")
	if !got.Has("code") || !reflect.DeepEqual(w.created[0].Workspaces, []string{"acme-blog"}) {
		t.Errorf("sent %v, created %+v", got, w.created)
	}
}

func TestOnlyWhatIsAskedForAndTickedIsGranted(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	page := text(w.get(asking()))
	if strings.Contains(page, `value="approve"><`) || strings.Count(page, `name="scope"`) != 2 || strings.Count(page, "checked") != 5 {
		t.Errorf("without a scope the page offers other than read and write, ticked: %s", page)
	}
	unasked := approve(t, w, asking(), func(f url.Values) { f["scope"] = []string{"approve"} })
	if got := w.problem(unasked, asking()); !strings.Contains(got, "Your rights have changed") || len(w.created) != 0 {
		t.Errorf("a scope that was not asked for: %q, created %v", got, w.created)
	}
	w.apps[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
	path := asking("scope", "read approve")
	unregistered := approve(t, w, path, func(f url.Values) { f["scope"] = []string{"read", "approve"} })
	if got := w.problem(unregistered, path); !strings.Contains(got, "Your rights have changed") || len(w.created) != 0 {
		t.Errorf("a scope that the app may not have: %q, created %v", got, w.created)
	}
	w.apps[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}
	sent(t, approve(t, w, asking(), func(f url.Values) { f["scope"] = []string{"write"} }), callback)
	if got := w.created[0].Scopes; !reflect.DeepEqual(got, []v1alpha1.Scope{v1alpha1.ScopeWrite}) {
		t.Errorf("granted %v, want what was left ticked", got)
	}
	nothing := approve(t, w, asking(), func(f url.Values) { f.Del("scope") })
	if got := w.problem(nothing, asking()); !strings.Contains(got, "at least one thing") || len(w.created) != 1 {
		t.Errorf("nothing ticked: %q", got)
	}
	nowhere := approve(t, w, asking(), func(f url.Values) { f["reach"] = []string{"some"} })
	if got := w.problem(nowhere, asking()); !strings.Contains(got, "at least one workspace") || len(w.created) != 1 {
		t.Errorf("no workspace ticked: %q", got)
	}
}

func TestEverythingIsCheckedAgainOnPost(t *testing.T) {
	tests := []struct {
		name     string
		between  func(*world)
		wantCode int
		wantTo   string
	}{
		{"the client is gone", func(w *world) { delete(w.apps, clientID) }, http.StatusBadRequest, ""},
		{"the redirect URI is not registered any more", func(w *world) { w.apps[clientID].Spec.RedirectURIs = []string{"https://app.example/bare"} }, http.StatusBadRequest, ""},
		{"the client must use PKCE now", func(w *world) { w.apps[clientID].Spec.Type = v1alpha1.OAuthClientPublic }, http.StatusSeeOther, callback + "&error=invalid_request"},
		{"the person's right is gone", func(w *world) {
			p := w.people[w.key.ID]
			p.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
			w.people[w.key.ID] = p
		}, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the person is gone", func(w *world) { delete(w.people, w.key.ID) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the session is gone", func(w *world) { clear(w.cookies) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"another session", func(w *world) { w.signIn() }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the form is old", func(w *world) { w.clock.SetTime(start.Add(time.Hour)) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"nothing has changed", func(w *world) { w.clock.SetTime(start.Add(time.Hour - time.Second)) }, http.StatusSeeOther, callback + "&code="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.signIn()
			got := approve(t, w, asking(), func(url.Values) { tt.between(w) })
			if got.Code != tt.wantCode || !strings.HasPrefix(got.Header().Get("Location"), tt.wantTo) || (tt.wantTo == "") != (got.Header().Get("Location") == "") {
				t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
			}
			if granted := len(w.created) > 0; granted != strings.HasPrefix(tt.wantTo, callback+"&code") {
				t.Errorf("created %v", w.created)
			}
		})
	}
}

func TestNobodyRefusesForSomebodyElse(t *testing.T) {
	for name, between := range map[string]func(*world){
		"the session is gone": func(w *world) { clear(w.cookies) }, "another session": func(w *world) { w.signIn() },
		"the person is gone": func(w *world) { delete(w.people, w.key.ID) },
	} {
		w := newWorld(t)
		w.signIn()
		got := approve(t, w, asking(), func(f url.Values) { f.Set("decision", "deny"); between(w) })
		if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() {
			t.Errorf("%s: got %d to %q", name, got.Code, got.Header().Get("Location"))
		}
	}
}

func TestATicketCannotBeMadeUpOrUsedElsewhere(t *testing.T) {
	w := newWorld(t)
	page := w.get(asking())
	back := hidden(t, page, "return")
	w.signIn()
	ticket := hidden(t, w.get(asking()), "ticket")
	for name, value := range map[string]string{"none": "", "made up": "abc", "changed": ticket[:len(ticket)-2] + "xx", "of another purpose": back} {
		got := approve(t, w, asking(), func(f url.Values) { f.Set("ticket", value) })
		if got.Code != http.StatusBadRequest || !strings.Contains(text(got), "out of date") || len(w.created) != 0 {
			t.Errorf("%s: got %d, created %v", name, got.Code, w.created)
		}
	}
}

func TestFormsFromElsewhereAreRefused(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	form := url.Values{"ticket": {hidden(t, w.get(asking()), "ticket")}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"}}
	for _, path := range []string{consent.ConsentPath, consent.SignInPath, consent.SignOutPath, consent.RevokePath} {
		for _, header := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}},
			// Browsers before Sec-Fetch-Site say this of our own forms too.
			{"Origin": {"null"}},
		} {
			q := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
			q.Header = header.Clone()
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if got := w.do(q); got.Code != http.StatusForbidden || len(w.created) != 0 || len(got.Result().Cookies()) != 0 {
				t.Errorf("%s %v: got %d, created %v", path, header, got.Code, w.created)
			}
		}
	}
	form.Set("more", strings.Repeat("x", 200<<10))
	if got := w.post(consent.ConsentPath, form); got.Code != http.StatusBadRequest || !strings.Contains(text(got), "could not be read") || len(w.created) != 0 {
		t.Errorf("a form that is too large: %d, created %v", got.Code, w.created)
	}
}

func TestEveryPageIsSealedOff(t *testing.T) {
	w := newWorld(t)
	signedOut := w.get(asking())
	w.signIn()
	nonces := map[string]bool{}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"sign-in": signedOut, "consent": w.get(asking()), "apps": w.get(consent.AppsPath), "refusal": w.get(consent.ConsentPath),
		"redirect": w.get(asking("scope", "nonsense")), "sign-out": w.post(consent.SignOutPath, nil),
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

func TestThePageSaysWhoAsksForWhatAndWhereItLeads(t *testing.T) {
	w := newWorld(t)
	w.apps[clientID].Spec.DisplayName = "Evil\u202e <b>App</b>\u200b"
	w.signIn()
	page := text(w.get(asking("scope", "read approve")))
	for _, want := range []string{
		"Evil &lt;b&gt;App&lt;/b&gt;", "Acme Outdoors", "Mara&#39;s key", "app.example", "Read your sites and articles",
		"Approve and reject articles in your name", "acme-blog", "acme-shop", `href="https://app.example/privacy"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q: %s", want, page)
		}
	}
	if strings.ContainsAny(page, "\u202e\u200b") {
		t.Error("the page shows marks that turn the name around")
	}
}

func TestSigningInWithAKey(t *testing.T) {
	w := newWorld(t)
	page := w.get(asking())
	if page.Code != http.StatusOK || !strings.Contains(text(page), "Newsletter Studio") || strings.Contains(text(page), `name="scope"`) {
		t.Fatalf("got %d %s", page.Code, text(page))
	}
	back := hidden(t, page, "return")
	token, err := credential.New(credential.AccessToken, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := credential.New(credential.APIKey, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"nothing": "", "junk": "junk", "another key": other.Reveal(), "an app's token": token.Reveal()} {
		got := w.post(consent.SignInPath, url.Values{"key": {key}, "return": {back}})
		if problem := w.problem(got, asking()); !strings.Contains(problem, "not a valid API key") || w.signedIn() {
			t.Errorf("%s: got %q, signed in: %v", name, problem, w.signedIn())
		}
	}
	got := w.post(consent.SignInPath, url.Values{"key": {" " + w.key.Reveal() + "\n"}, "return": {back}})
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() || w.cookies[session.CookieName] == "" {
		t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
	}
	for name, back := range map[string]string{"none": "", "made up": "https://evil.example/"} {
		got := w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}, "return": {back}})
		if got.Header().Get("Location") != consent.AppsPath {
			t.Errorf("return %s leads to %q", name, got.Header().Get("Location"))
		}
	}
	out := w.post(consent.SignOutPath, nil)
	if page := w.get(out.Header().Get("Location")); out.Code != http.StatusSeeOther || !strings.Contains(text(page), "You are signed out") {
		t.Errorf("signing out leads to %d %s", page.Code, text(page))
	}
	if w.signedIn() || strings.Contains(text(w.get(asking())), `name="scope"`) {
		t.Error("signing out does not sign out")
	}
}

func TestFailedSignInsAreSlowedDown(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		junk := w.post(consent.SignInPath, url.Values{"key": {"junk"}})
		if got := w.problem(junk, consent.AppsPath); !strings.Contains(got, "not a valid API key") {
			t.Fatalf("try %d: %q", i, got)
		}
	}
	eleventh := w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}})
	if got := w.problem(eleventh, consent.AppsPath); !strings.Contains(got, "in 15 seconds") || w.signedIn() {
		t.Errorf("the eleventh: %q, signed in: %v", got, w.signedIn())
	}
	w.clock.SetTime(start.Add(15 * time.Second))
	if w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}}); !w.signedIn() {
		t.Error("not signed in after the wait")
	}
}

func TestNobodyKeepsTheHolderOfAKeyOut(t *testing.T) {
	w := newWorld(t)
	// Two keys with one id, as whoever knows the id can make up.
	var fake credential.Credential
	for _, c := range []*credential.Credential{&w.key, &fake} {
		var err error
		if *c, err = credential.New(credential.APIKey, io.MultiReader(strings.NewReader("0123456789"), rand.Reader)); err != nil {
			t.Fatal(err)
		}
	}
	if fake.ID != w.key.ID || fake.Reveal() == w.key.Reveal() {
		t.Fatalf("the keys %s and %s are no such keys", fake.ID, w.key.ID)
	}
	try := func(from, key string) *httptest.ResponseRecorder {
		q := httptest.NewRequest(http.MethodPost, consent.SignInPath, strings.NewReader(url.Values{"key": {key}}.Encode()))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		q.RemoteAddr = from
		return w.do(q)
	}
	// The id of a key is no secret: it stands where its holder has approved something.
	for range 20 {
		try("192.0.2.66:1000", fake.Reveal())
	}
	if got := w.problem(try("192.0.2.66:1000", w.key.Reveal()), consent.AppsPath); !strings.Contains(got, "Too many failed tries") {
		t.Errorf("whoever fails is not slowed down: %q", got)
	}
	if try("192.0.2.7:1000", w.key.Reveal()); !w.signedIn() {
		t.Error("the holder of the key is kept out")
	}
}

func TestAKeyThatCannotBeCheckedIsNotAWrongOne(t *testing.T) {
	w := newWorld(t)
	w.authDown = auth.ErrUnavailable
	for range 12 {
		if got := w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}}); got.Code != http.StatusServiceUnavailable || w.signedIn() {
			t.Fatalf("got %d, signed in: %v", got.Code, w.signedIn())
		}
	}
	w.authDown = nil
	w.signIn()
}

func TestASessionEndsWithItsKey(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	if !strings.Contains(text(w.get(asking())), `name="scope"`) {
		t.Fatal("not signed in")
	}
	delete(w.people, w.key.ID)
	for _, path := range []string{asking(), consent.AppsPath} {
		if page := text(w.get(path)); !strings.Contains(page, `name="key"`) {
			t.Errorf("the session goes on at %s: %s", path, page)
		}
	}
}

func grantOf(name, account, person string) v1alpha1.OAuthGrant {
	used := metav1.NewMicroTime(start)
	return v1alpha1.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(start)},
		Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: "newsletter"}, AccountRef: v1alpha1.AccountReference{Name: account}, Person: person,
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, Workspaces: []string{"acme-blog"},
		},
		Status: v1alpha1.OAuthGrantStatus{RedeemedAt: &used, LastUsedAt: &used},
	}
}

func TestConnectedAppsAreListedAndRevoked(t *testing.T) {
	w := newWorld(t)
	w.grants = []v1alpha1.OAuthGrant{
		grantOf("mine", "acme", "api-key:"+w.key.ID), grantOf("theirs", "acme", "api-key:other"), grantOf("elsewhere", "zeta", "api-key:"+w.key.ID),
	}
	if strings.Contains(text(w.get(consent.AppsPath)), "Newsletter") {
		t.Error("apps are shown to nobody in particular")
	}
	w.signIn()
	page := w.get(consent.AppsPath)
	if strings.Count(text(page), "Remove access") != 1 {
		t.Fatalf("not one app: %s", text(page))
	}
	for _, want := range []string{"Newsletter Studio", "Read your sites", "acme-blog", "1 March 2026"} {
		if !strings.Contains(text(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	ticket := hidden(t, page, "ticket")
	w.post(consent.RevokePath, url.Values{"ticket": {"mine"}})
	w.post(consent.RevokePath, url.Values{"ticket": {hidden(t, w.get(asking()), "ticket")}})
	old := w.cookies[session.CookieName]
	w.signIn()
	w.post(consent.RevokePath, url.Values{"ticket": {ticket}})
	clear(w.cookies)
	w.post(consent.RevokePath, url.Values{"ticket": {ticket}})
	if len(w.revoked) != 0 {
		t.Fatalf("revoked without a ticket of this session: %v", w.revoked)
	}
	w.cookies[session.CookieName] = old
	if got := w.post(consent.RevokePath, url.Values{"ticket": {ticket}}); got.Header().Get("Location") != consent.AppsPath || len(w.revoked) != 1 || w.revoked[0] != "mine" {
		t.Errorf("got %d, revoked %v", got.Code, w.revoked)
	}
	w.revoked = nil
	stale := hidden(t, w.get(consent.AppsPath+"?"), "ticket")
	w.clock.SetTime(start.Add(time.Hour))
	if w.post(consent.RevokePath, url.Values{"ticket": {stale}}); len(w.revoked) != 0 {
		t.Error("a form that was open for too long revokes")
	}
	w.clock.SetTime(start)
	delete(w.people, w.key.ID)
	if w.post(consent.RevokePath, url.Values{"ticket": {ticket}}); len(w.revoked) != 0 {
		t.Error("somebody who is gone revokes")
	}
	w.people[w.key.ID] = people.Person{ID: "api-key:" + w.key.ID, Account: "zeta"}
	w.grants, w.revoked = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.key.ID)}, nil
	if w.post(consent.RevokePath, url.Values{"ticket": {ticket}}); len(w.revoked) != 0 {
		t.Error("a grant of another account was revoked")
	}
}

func TestWhoHasRemovedAnAppDoesNotFindItInTheListAgain(t *testing.T) {
	w := newWorld(t)
	w.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.key.ID)}
	w.signIn()
	ticket := hidden(t, w.get(consent.AppsPath), "ticket")
	w.lag = 3
	w.post(consent.RevokePath, url.Values{"ticket": {ticket}})
	if page := text(w.get(consent.AppsPath)); w.revoked == nil || strings.Contains(page, "Newsletter") {
		t.Errorf("the page shows what was removed: %s", page)
	}
}

func TestFailuresOfOursAreTold(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	w.failGrant = errors.New("etcd is away at 10.0.0.1")
	got := sent(t, approve(t, w, asking(), nil), callback+"&")
	if got.Get("error") != "temporarily_unavailable" || strings.Contains(got.Encode(), "10.0.0.1") {
		t.Errorf("sent %v", got)
	}
	w.down = errors.New("away at 10.0.0.1")
	if got := w.get(asking()); got.Code != http.StatusServiceUnavailable || strings.Contains(got.Body.String(), "10.0.0.1") {
		t.Errorf("got %d %s", got.Code, text(got))
	}
}

func TestWhoCannotBeLookedUpIsNotSignedOut(t *testing.T) {
	w := newWorld(t)
	w.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.key.ID)}
	w.signIn()
	decision := func(what string) url.Values {
		return url.Values{"ticket": {hidden(t, w.get(asking()), "ticket")}, "decision": {what}, "scope": {"read"}, "reach": {"all"}}
	}
	approval, refusal, removal := decision("approve"), decision("deny"), url.Values{"ticket": {hidden(t, w.get(consent.AppsPath), "ticket")}}
	w.findDown = errors.New("away at 10.0.0.1")
	for name, got := range map[string]*httptest.ResponseRecorder{
		"the consent page": w.get(asking()), "approving": w.post(consent.ConsentPath, approval), "refusing": w.post(consent.ConsentPath, refusal),
		"the apps": w.get(consent.AppsPath), "removing": w.post(consent.RevokePath, removal),
	} {
		if got.Code != http.StatusServiceUnavailable || got.Header().Get("Retry-After") == "" || strings.Contains(got.Body.String(), "10.0.0.1") {
			t.Errorf("%s: got %d to %q: %s", name, got.Code, got.Header().Get("Location"), text(got))
		}
	}
	if len(w.created) != 0 || len(w.revoked) != 0 || !w.signedIn() {
		t.Errorf("created %v, revoked %v, signed in: %v", w.created, w.revoked, w.signedIn())
	}
	w.findDown = nil
	sent(t, w.post(consent.ConsentPath, approval), callback)
	w.post(consent.RevokePath, removal)
	if len(w.created) != 1 || len(w.revoked) != 1 {
		t.Errorf("once more: created %v, revoked %v", w.created, w.revoked)
	}
}

func TestRemovingWhatIsGoneIsDone(t *testing.T) {
	w := newWorld(t)
	w.grants = []v1alpha1.OAuthGrant{grantOf("mine", "acme", "api-key:"+w.key.ID)}
	w.signIn()
	page := w.get(consent.AppsPath)
	w.collected = true
	got := w.post(consent.RevokePath, url.Values{"ticket": {hidden(t, page, "ticket")}})
	if got.Code != http.StatusSeeOther || got.Header().Get("Location") != consent.AppsPath || len(w.revoked) != 1 {
		t.Errorf("got %d to %q, revoked %v: %s", got.Code, got.Header().Get("Location"), w.revoked, text(got))
	}
}

func TestPagesWithoutSessionKeysSayThatTheyCannotBeShown(t *testing.T) {
	folder := t.TempDir()
	w := newWorld(t, func(d *consent.Deps) {
		keys, err := session.OpenKeyFile(filepath.Join(folder, "keys"), d.Store.Clock)
		if err != nil {
			t.Fatal(err)
		}
		d.Store.Keys = keys
	})
	for _, path := range []string{asking(), consent.AppsPath} {
		if got := w.get(path); got.Code != http.StatusServiceUnavailable || !strings.Contains(text(got), "Not available") || strings.Contains(text(got), folder) {
			t.Errorf("%s: got %d %s", path, got.Code, text(got))
		}
	}
	if got := w.post(consent.SignInPath, url.Values{"key": {w.key.Reveal()}}); got.Code != http.StatusServiceUnavailable || w.signedIn() {
		t.Errorf("signing in: %d", got.Code)
	}
	key, err := session.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "keys"), []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	w.clock.SetTime(start.Add(5 * time.Second))
	w.signIn()
	if got := w.get(asking()); got.Code != http.StatusOK || !strings.Contains(text(got), `name="scope"`) {
		t.Errorf("after the keys have come: %d %s", got.Code, text(got))
	}
}
