package consent_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
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
		// Whatever else is wrong, it is not sent to an address that is not registered.
		{"and a wrong type", asking("redirect_uri", "https://evil.example/", "response_type", "token")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := newSite(t)
			site.SignIn()
			got := site.Get(tt.path)
			if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" || !strings.Contains(testkit.Main(got), "<h1>") {
				t.Errorf("got %d to %q, want our own 400 page", got.Code, got.Header().Get("Location"))
			}
			if strings.Contains(testkit.Main(got), "evil.example") {
				t.Error("the page shows the address")
			}
		})
	}
}

// Anybody may register an app: a link to this server must not lead on to any address.
func TestNobodyIsRedirectedBeforeSomebodyHasSignedIn(t *testing.T) {
	site := newSite(t)
	got := site.Get(asking("response_type", "token"))
	if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" || !strings.Contains(testkit.Main(got), "app.example") {
		t.Errorf("got %d to %q: %s", got.Code, got.Header().Get("Location"), testkit.Main(got))
	}
	site.SignIn()
	if got := sent(t, site.Get(asking("response_type", "token")), callback+"&"); got.Get("error") != "unsupported_response_type" {
		t.Errorf("sent %v", got)
	}
}

func TestASuspendedAppIsRefusedWithoutARedirect(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	site.store.down = oauth.ErrSuspended
	if got := site.Get(asking()); got.Code != http.StatusForbidden || got.Header().Get("Location") != "" || !strings.Contains(testkit.Main(got), "turned off") {
		t.Errorf("got %d: %s", got.Code, testkit.Main(got))
	}
}

func TestThePageSaysWhoseAppItIsAndThatItMaySubscribe(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	if page := testkit.Main(site.Get(asking())); !strings.Contains(page, "registered by the operator") || !strings.Contains(page, "news of your articles") {
		t.Error(page)
	}
	site.store.clients[clientID].Spec.AccountRef = &v1alpha1.AccountReference{Name: "vendor"}
	if page := testkit.Main(site.Get(asking())); !strings.Contains(page, "registered by the account <strong>vendor</strong>") {
		t.Error(page)
	}
}

func signedIn(t *testing.T) *site {
	t.Helper()
	site := newSite(t)
	site.SignIn()
	return site
}

func TestOtherErrorsGoBackToTheApp(t *testing.T) {
	public := func(site *site) { site.store.clients[clientID].Spec.Type = v1alpha1.OAuthClientPublic }
	readOnly := func(site *site) { site.store.clients[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead} }
	manage := func(site *site) {
		site.store.clients[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeManage}
	}
	tests := []struct {
		name, path string
		change     func(*site)
		wantError  string
	}{
		{"another type", asking("response_type", "token"), nil, "unsupported_response_type"},
		{"two types", asking("response_type", "code") + "&response_type=code", nil, "invalid_request"},
		{"another mode", asking("response_mode", "fragment"), nil, "invalid_request"},
		{"two scopes parameters", asking("scope", "read") + "&scope=read", nil, "invalid_request"},
		{"an unknown scope", asking("scope", "read admin"), nil, "invalid_scope"},
		{"a scope that no client gets", asking("scope", "read manage"), manage, "invalid_scope"},
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
			site := signedIn(t)
			if tt.change != nil {
				tt.change(site)
			}
			got := sent(t, site.Get(tt.path), callback+"&")
			if got.Get("error") != tt.wantError || got.Get("state") != "s t&a=te%" || got.Get("iss") != issuer || got.Has("code") {
				t.Errorf("sent %v, want error %s with state and iss", got, tt.wantError)
			}
		})
	}
	t.Run("two states", func(t *testing.T) {
		got := sent(t, signedIn(t).Get(asking("state", "one")+"&state=two"), callback+"&")
		if got.Get("error") != "invalid_request" {
			t.Errorf("sent %v", got)
		}
	})
	t.Run("a malformed state", func(t *testing.T) {
		got := sent(t, signedIn(t).Get(asking("state", "")+"&state=%zz"), callback+"&")
		if got.Get("error") != "invalid_request" || got.Has("state") {
			t.Errorf("sent %v", got)
		}
	})
	for _, size := range []int{2049, 20 << 10} {
		t.Run(fmt.Sprintf("a state of %d bytes", size), func(t *testing.T) {
			got := sent(t, signedIn(t).Get(asking("state", strings.Repeat("x", size))), callback+"&")
			if got.Get("error") != "invalid_request" || len(got.Get("state")) != size {
				t.Errorf("sent %.200v", got)
			}
		})
	}
}

func TestAStateComesBackByteForByte(t *testing.T) {
	for _, state := range []string{"plain", "a+b c;d&e=f%", "\x00\xff\xfe", "line\r\nbreak", "“ü”", strings.Repeat("\xff", 2048)} {
		site := newSite(t)
		site.SignIn()
		got := sent(t, approve(t, site, asking("state", state), nil), callback+"&")
		if got.Get("state") != state {
			t.Errorf("state %q came back as %q", state, got.Get("state"))
		}
	}
	site := newSite(t)
	site.SignIn()
	if got := sent(t, approve(t, site, asking("state", "")+"&state=a;b", nil), callback+"&"); got.Get("state") != "a;b" {
		t.Errorf("a raw semicolon came back as %q", got.Get("state"))
	}
	if got := sent(t, approve(t, site, asking("state", ""), nil), callback+"&"); got.Has("state") {
		t.Errorf("a state was made up: %v", got)
	}
	if got := sent(t, approve(t, site, asking("redirect_uri", "https://app.example/bare"), nil), "https://app.example/bare?"); !got.Has("code") {
		t.Errorf("sent %v", got)
	}
}

func TestAnAppOnAPersonsOwnComputerMayChooseItsPort(t *testing.T) {
	const registered, asked = "http://127.0.0.1/callback?x=%41", "http://127.0.0.1:51234/callback?x=%41"
	site := newSite(t)
	site.SignIn()
	site.store.clients[clientID].Spec.RedirectURIs = []string{registered}
	site.store.clients[clientID].Spec.LoopbackPort = v1alpha1.LoopbackPortRegistered
	if got := site.Get(asking("redirect_uri", asked)); got.Code != http.StatusBadRequest {
		t.Errorf("without opting in: %d to %q", got.Code, got.Header().Get("Location"))
	}
	site.store.clients[clientID].Spec.LoopbackPort = v1alpha1.LoopbackPortAny
	if got := sent(t, approve(t, site, asking("redirect_uri", asked), nil), asked+"&"); !got.Has("code") || site.store.created[0].RedirectURI != asked {
		t.Errorf("sent %v, created %+v", got, site.store.created)
	}
	if page := testkit.Main(site.Get(asking("redirect_uri", asked))); !strings.Contains(page, "a program on your own computer (127.0.0.1:51234)") {
		t.Errorf("the page does not say where it leads: %s", page)
	}
	if got := site.Get(asking("redirect_uri", "http://127.0.0.1:51234/callback?x=A")); got.Code != http.StatusBadRequest {
		t.Errorf("the query in another spelling: %d", got.Code)
	}
}

func TestGetHasNoEffect(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	for range 3 {
		if got := site.Get(asking() + "&decision=approve&scope=read&reach=all"); got.Code != http.StatusOK || len(got.Result().Cookies()) != 0 {
			t.Errorf("got %d with cookies %v", got.Code, got.Result().Cookies())
		}
	}
	if len(site.store.created) != 0 {
		t.Errorf("GET created %v", site.store.created)
	}
}

func TestThePageSaysWhoAsksForWhatAndWhereItLeads(t *testing.T) {
	site := newSite(t)
	site.store.clients[clientID].Spec.DisplayName = "Evil\u202e <b>App</b>\u200b"
	site.SignIn()
	page := testkit.Main(site.Get(asking("scope", "read approve")))
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
