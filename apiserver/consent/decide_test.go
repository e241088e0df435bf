package consent_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/logintest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// approve takes a person from the request to the redirect, by the form as the page shows it, of which change may change what is sent.
func approve(t *testing.T, site *site, path string, change func(url.Values)) *httptest.ResponseRecorder {
	t.Helper()
	form := site.Fill(site.Get(path), consent.ConsentPath, url.Values{"decision": {"approve"}})
	if change != nil {
		change(form)
	}
	return site.Post(consent.ConsentPath, form)
}

func TestApprovalSendsACode(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	got := sent(t, approve(t, site, asking("code_challenge", challenge, "code_challenge_method", "S256"), nil), callback+"&")
	if want := (url.Values{"code": {"pr_ac_code"}, "state": {"s t&a=te%"}, "iss": {issuer}}); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	want := []oauth.GrantRequest{{ClientID: clientID, OAuthGrantSpec: v1alpha1.OAuthGrantSpec{
		AccountRef: v1alpha1.AccountReference{Name: "acme"}, Person: "api-key:" + site.Key.ID, KeyUID: "uid-of-the-key", RedirectURI: callback,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}, CodeChallenge: challenge,
	}}}
	if !reflect.DeepEqual(site.store.created, want) {
		t.Errorf("created %+v, want %+v", site.store.created, want)
	}
}

func TestRefusingIsAccessDenied(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	got := sent(t, approve(t, site, asking("response_type", "code"), func(f url.Values) { f.Set("decision", "deny") }), callback+"&")
	if got.Get("error") != "access_denied" || got.Get("state") != "s t&a=te%" || got.Get("iss") != issuer || len(site.store.created) != 0 {
		t.Errorf("sent %v, created %v", got, site.store.created)
	}
	for _, decision := range []string{"", "maybe"} {
		undecided := approve(t, site, asking(), func(f url.Values) { f.Set("decision", decision) })
		if got := site.Problem(undecided, asking()); !strings.Contains(got, "Nothing has been decided") || len(site.store.created) != 0 {
			t.Errorf("the decision %q: %s, created %v", decision, got, site.store.created)
		}
	}
}

func TestNobodyGrantsMoreThanTheyHold(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	person := site.People[site.Key.ID]
	person.Scopes, person.Workspaces = []v1alpha1.Scope{v1alpha1.ScopeRead}, []string{"acme-blog"}
	site.People[site.Key.ID] = person
	page := testkit.Main(site.Get(asking("scope", "read write")))
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
			if got := site.Problem(approve(t, site, path, tt.change), path); !strings.Contains(got, tt.wantProblem) || len(site.store.created) != 0 {
				t.Errorf("got %q, created %v", got, site.store.created)
			}
			site.store.created = nil
		})
	}
	got := sent(t, approve(t, site, asking("scope", "read write"), some("acme-blog")), callback+"&")
	if !got.Has("code") || !reflect.DeepEqual(site.store.created[0].Workspaces, []string{"acme-blog"}) {
		t.Errorf("sent %v, created %+v", got, site.store.created)
	}
}

func TestOnlyWhatIsAskedForAndTickedIsGranted(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	page := testkit.Main(site.Get(asking()))
	if strings.Contains(page, `value="approve"><`) || strings.Count(page, `name="scope"`) != 2 || strings.Count(page, "checked") != 5 {
		t.Errorf("without a scope the page offers other than read and write, ticked: %s", page)
	}
	unasked := approve(t, site, asking(), func(f url.Values) { f["scope"] = []string{"approve"} })
	if got := site.Problem(unasked, asking()); !strings.Contains(got, "Your rights have changed") || len(site.store.created) != 0 {
		t.Errorf("a scope that was not asked for: %q, created %v", got, site.store.created)
	}
	site.store.clients[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
	path := asking("scope", "read approve")
	unregistered := approve(t, site, path, func(f url.Values) { f["scope"] = []string{"read", "approve"} })
	if got := site.Problem(unregistered, path); !strings.Contains(got, "Your rights have changed") || len(site.store.created) != 0 {
		t.Errorf("a scope that the app may not have: %q, created %v", got, site.store.created)
	}
	site.store.clients[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}
	sent(t, approve(t, site, asking(), func(f url.Values) { f["scope"] = []string{"write"} }), callback)
	if got := site.store.created[0].Scopes; !reflect.DeepEqual(got, []v1alpha1.Scope{v1alpha1.ScopeWrite}) {
		t.Errorf("granted %v, want what was left ticked", got)
	}
	nothing := approve(t, site, asking(), func(f url.Values) { f.Del("scope") })
	if got := site.Problem(nothing, asking()); !strings.Contains(got, "at least one thing") || len(site.store.created) != 1 {
		t.Errorf("nothing ticked: %q", got)
	}
	nowhere := approve(t, site, asking(), func(f url.Values) { f.Set("reach", "some"); f.Del("workspace") })
	if got := site.Problem(nowhere, asking()); !strings.Contains(got, "at least one workspace") || len(site.store.created) != 1 {
		t.Errorf("no workspace ticked: %q", got)
	}
}

func TestEverythingIsCheckedAgainOnPost(t *testing.T) {
	tests := []struct {
		name     string
		between  func(*site)
		wantCode int
		wantTo   string
	}{
		{"the client is gone", func(site *site) { delete(site.store.clients, clientID) }, http.StatusBadRequest, ""},
		{"the redirect URI is not registered any more", func(site *site) {
			site.store.clients[clientID].Spec.RedirectURIs = []string{"https://app.example/bare"}
		}, http.StatusBadRequest, ""},
		{"the client must use PKCE now", func(site *site) { site.store.clients[clientID].Spec.Type = v1alpha1.OAuthClientPublic }, http.StatusSeeOther, callback + "&error=invalid_request"},
		{"the person's right is gone", func(site *site) {
			p := site.People[site.Key.ID]
			p.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
			site.People[site.Key.ID] = p
		}, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the person is gone", func(site *site) { delete(site.People, site.Key.ID) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the session is gone", func(site *site) { clear(site.Cookies) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"another session", func(site *site) { site.SignIn() }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the form is old", func(site *site) { site.Clock.SetTime(logintest.Start.Add(time.Hour)) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"nothing has changed", func(site *site) { site.Clock.SetTime(logintest.Start.Add(time.Hour - time.Second)) }, http.StatusSeeOther, callback + "&code="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := newSite(t)
			site.SignIn()
			got := approve(t, site, asking(), func(url.Values) { tt.between(site) })
			if got.Code != tt.wantCode || !strings.HasPrefix(got.Header().Get("Location"), tt.wantTo) || (tt.wantTo == "") != (got.Header().Get("Location") == "") {
				t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
			}
			if granted := len(site.store.created) > 0; granted != strings.HasPrefix(tt.wantTo, callback+"&code") {
				t.Errorf("created %v", site.store.created)
			}
		})
	}
}

func TestNobodyRefusesForSomebodyElse(t *testing.T) {
	for name, between := range map[string]func(*site){
		"the session is gone": func(site *site) { clear(site.Cookies) }, "another session": func(site *site) { site.SignIn() },
		"the person is gone": func(site *site) { delete(site.People, site.Key.ID) },
	} {
		site := newSite(t)
		site.SignIn()
		got := approve(t, site, asking(), func(f url.Values) { f.Set("decision", "deny"); between(site) })
		if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() {
			t.Errorf("%s: got %d to %q", name, got.Code, got.Header().Get("Location"))
		}
	}
}

func TestATicketCannotBeMadeUpOrUsedElsewhere(t *testing.T) {
	site := newSite(t)
	page := site.Get(asking())
	back := site.Hidden(page, "return")
	site.SignIn()
	ticket := site.Hidden(site.Get(asking()), "ticket")
	for name, value := range map[string]string{"none": "", "made up": "abc", "changed": ticket[:len(ticket)-2] + "xx", "of another purpose": back} {
		got := approve(t, site, asking(), func(f url.Values) { f.Set("ticket", value) })
		if got.Code != http.StatusBadRequest || !strings.Contains(testkit.Main(got), "out of date") || len(site.store.created) != 0 {
			t.Errorf("%s: got %d, created %v", name, got.Code, site.store.created)
		}
	}
}
