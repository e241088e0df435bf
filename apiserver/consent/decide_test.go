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
	"github.com/pressroom-dev/pressroom/apiserver/login/logintest"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// approve takes a person from the request to the redirect, with everything ticked as the page shows it.
func approve(t *testing.T, w *world, path string, change func(url.Values)) *httptest.ResponseRecorder {
	t.Helper()
	page := w.Get(path)
	form := url.Values{
		"ticket": {w.Hidden(page, "ticket")}, "decision": {"approve"}, "scope": {"read", "write"}, "reach": {"all"},
	}
	if change != nil {
		change(form)
	}
	return w.Post(consent.ConsentPath, form)
}

func TestApprovalSendsACode(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	got := sent(t, approve(t, w, asking("code_challenge", challenge, "code_challenge_method", "S256"), nil), callback+"&")
	if want := (url.Values{"code": {"pr_ac_code"}, "state": {"s t&a=te%"}, "iss": {issuer}}); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	want := []oauth.GrantRequest{{
		ClientID: clientID, Account: "acme", Person: "api-key:" + w.Key.ID, RedirectURI: callback, CodeChallenge: challenge,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
	}}
	if !reflect.DeepEqual(w.store.created, want) {
		t.Errorf("created %+v, want %+v", w.store.created, want)
	}
}

func TestRefusingIsAccessDenied(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	got := sent(t, approve(t, w, asking("response_type", "code"), func(f url.Values) { f.Set("decision", "deny") }), callback+"&")
	if got.Get("error") != "access_denied" || got.Get("state") != "s t&a=te%" || got.Get("iss") != issuer || len(w.store.created) != 0 {
		t.Errorf("sent %v, created %v", got, w.store.created)
	}
	for _, decision := range []string{"", "maybe"} {
		undecided := approve(t, w, asking(), func(f url.Values) { f.Set("decision", decision) })
		if got := w.Problem(undecided, asking()); !strings.Contains(got, "Nothing has been decided") || len(w.store.created) != 0 {
			t.Errorf("the decision %q: %s, created %v", decision, got, w.store.created)
		}
	}
}

func TestNobodyGrantsMoreThanTheyHold(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	person := w.People[w.Key.ID]
	person.Scopes, person.Workspaces = []v1alpha1.Scope{v1alpha1.ScopeRead}, []string{"acme-blog"}
	w.People[w.Key.ID] = person
	page := testkit.Main(w.Get(asking("scope", "read write")))
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
			if got := w.Problem(approve(t, w, path, tt.change), path); !strings.Contains(got, tt.wantProblem) || len(w.store.created) != 0 {
				t.Errorf("got %q, created %v", got, w.store.created)
			}
			w.store.created = nil
		})
	}
	got := sent(t, approve(t, w, asking("scope", "read write"), some("acme-blog")), callback+"&")
	if !got.Has("code") || !reflect.DeepEqual(w.store.created[0].Workspaces, []string{"acme-blog"}) {
		t.Errorf("sent %v, created %+v", got, w.store.created)
	}
}

func TestOnlyWhatIsAskedForAndTickedIsGranted(t *testing.T) {
	w := newWorld(t)
	w.SignIn()
	page := testkit.Main(w.Get(asking()))
	if strings.Contains(page, `value="approve"><`) || strings.Count(page, `name="scope"`) != 2 || strings.Count(page, "checked") != 5 {
		t.Errorf("without a scope the page offers other than read and write, ticked: %s", page)
	}
	unasked := approve(t, w, asking(), func(f url.Values) { f["scope"] = []string{"approve"} })
	if got := w.Problem(unasked, asking()); !strings.Contains(got, "Your rights have changed") || len(w.store.created) != 0 {
		t.Errorf("a scope that was not asked for: %q, created %v", got, w.store.created)
	}
	w.store.clients[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
	path := asking("scope", "read approve")
	unregistered := approve(t, w, path, func(f url.Values) { f["scope"] = []string{"read", "approve"} })
	if got := w.Problem(unregistered, path); !strings.Contains(got, "Your rights have changed") || len(w.store.created) != 0 {
		t.Errorf("a scope that the app may not have: %q, created %v", got, w.store.created)
	}
	w.store.clients[clientID].Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}
	sent(t, approve(t, w, asking(), func(f url.Values) { f["scope"] = []string{"write"} }), callback)
	if got := w.store.created[0].Scopes; !reflect.DeepEqual(got, []v1alpha1.Scope{v1alpha1.ScopeWrite}) {
		t.Errorf("granted %v, want what was left ticked", got)
	}
	nothing := approve(t, w, asking(), func(f url.Values) { f.Del("scope") })
	if got := w.Problem(nothing, asking()); !strings.Contains(got, "at least one thing") || len(w.store.created) != 1 {
		t.Errorf("nothing ticked: %q", got)
	}
	nowhere := approve(t, w, asking(), func(f url.Values) { f["reach"] = []string{"some"} })
	if got := w.Problem(nowhere, asking()); !strings.Contains(got, "at least one workspace") || len(w.store.created) != 1 {
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
		{"the client is gone", func(w *world) { delete(w.store.clients, clientID) }, http.StatusBadRequest, ""},
		{"the redirect URI is not registered any more", func(w *world) { w.store.clients[clientID].Spec.RedirectURIs = []string{"https://app.example/bare"} }, http.StatusBadRequest, ""},
		{"the client must use PKCE now", func(w *world) { w.store.clients[clientID].Spec.Type = v1alpha1.OAuthClientPublic }, http.StatusSeeOther, callback + "&error=invalid_request"},
		{"the person's right is gone", func(w *world) {
			p := w.People[w.Key.ID]
			p.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
			w.People[w.Key.ID] = p
		}, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the person is gone", func(w *world) { delete(w.People, w.Key.ID) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the session is gone", func(w *world) { clear(w.Cookies) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"another session", func(w *world) { w.SignIn() }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"the form is old", func(w *world) { w.Clock.SetTime(logintest.Start.Add(time.Hour)) }, http.StatusSeeOther, consent.ConsentPath + "?"},
		{"nothing has changed", func(w *world) { w.Clock.SetTime(logintest.Start.Add(time.Hour - time.Second)) }, http.StatusSeeOther, callback + "&code="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.SignIn()
			got := approve(t, w, asking(), func(url.Values) { tt.between(w) })
			if got.Code != tt.wantCode || !strings.HasPrefix(got.Header().Get("Location"), tt.wantTo) || (tt.wantTo == "") != (got.Header().Get("Location") == "") {
				t.Errorf("got %d to %q", got.Code, got.Header().Get("Location"))
			}
			if granted := len(w.store.created) > 0; granted != strings.HasPrefix(tt.wantTo, callback+"&code") {
				t.Errorf("created %v", w.store.created)
			}
		})
	}
}

func TestNobodyRefusesForSomebodyElse(t *testing.T) {
	for name, between := range map[string]func(*world){
		"the session is gone": func(w *world) { clear(w.Cookies) }, "another session": func(w *world) { w.SignIn() },
		"the person is gone": func(w *world) { delete(w.People, w.Key.ID) },
	} {
		w := newWorld(t)
		w.SignIn()
		got := approve(t, w, asking(), func(f url.Values) { f.Set("decision", "deny"); between(w) })
		if got.Code != http.StatusSeeOther || got.Header().Get("Location") != asking() {
			t.Errorf("%s: got %d to %q", name, got.Code, got.Header().Get("Location"))
		}
	}
}

func TestATicketCannotBeMadeUpOrUsedElsewhere(t *testing.T) {
	w := newWorld(t)
	page := w.Get(asking())
	back := w.Hidden(page, "return")
	w.SignIn()
	ticket := w.Hidden(w.Get(asking()), "ticket")
	for name, value := range map[string]string{"none": "", "made up": "abc", "changed": ticket[:len(ticket)-2] + "xx", "of another purpose": back} {
		got := approve(t, w, asking(), func(f url.Values) { f.Set("ticket", value) })
		if got.Code != http.StatusBadRequest || !strings.Contains(testkit.Main(got), "out of date") || len(w.store.created) != 0 {
			t.Errorf("%s: got %d, created %v", name, got.Code, w.store.created)
		}
	}
}
