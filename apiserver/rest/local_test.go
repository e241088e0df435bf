package rest_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// signedIn is somebody with a session and some scopes.
func signedIn(scopes ...v1alpha1.Scope) auth.Principal {
	return auth.Principal{ID: "mara", Account: "acme", Name: "mara@acme.example", Scopes: scopes}
}

// local returns the operations for pages of the same process.
func (api *restAPI) local() *rest.Local {
	api.t.Helper()
	api.deps.Local = &rest.Local{}
	api.do(request{path: "/v1/api/whoami"})
	return api.deps.Local
}

func TestALocalCallIsMadeAsThePersonWhoIsSignedIn(t *testing.T) {
	api := newAPI(t)
	local := api.local()
	who, err := rest.Do[account.Whoami](t.Context(), local, signedIn(v1alpha1.ScopeRead), rest.Request{Operation: "whoami"})
	if err != nil || who.Name != "mara@acme.example" || who.Account != "acme" {
		t.Fatalf("whoami = %+v, %v", who, err)
	}
	a := api.article(nil)
	page, err := rest.Do[articlelist.ArticlePage](t.Context(), local, signedIn(v1alpha1.ScopeRead),
		rest.Request{Operation: "list-articles", Workspace: workspace, Query: url.Values{"limit": {"5"}}})
	if err != nil || len(page.Data) != 1 {
		t.Fatalf("list-articles = %+v, %v", page, err)
	}
	one, err := rest.Do[restarticle.Article](t.Context(), local, signedIn(v1alpha1.ScopeRead),
		rest.Request{Operation: "get-article", Workspace: workspace, Path: map[string]string{"uid": a.Name}})
	if err != nil || one.UID != page.Data[0].UID {
		t.Fatalf("get-article = %+v, %v", one, err)
	}
}

func TestALocalCallIsAnsweredAsOneFromTheNetwork(t *testing.T) {
	api := newAPI(t)
	local := api.local()
	uid := map[string]string{"uid": api.article(nil).Name}
	for _, c := range []struct {
		operation, path string
		got             func(rest.Request) (any, error)
	}{
		{"list-articles", "/v1/api/blogs", func(r rest.Request) (any, error) {
			return rest.Do[articlelist.ArticlePage](t.Context(), local, signedIn(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), r)
		}},
		{"list-articles", "/v1/api/blogs", func(r rest.Request) (any, error) {
			return rest.Do[map[string]any](t.Context(), local, signedIn(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), r)
		}},
		{"get-article", "/v1/api/blogs/" + uid["uid"], func(r rest.Request) (any, error) {
			return rest.Do[restarticle.Article](t.Context(), local, signedIn(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), r)
		}},
		{"list-sites", "/v1/api/sites", func(r rest.Request) (any, error) {
			return rest.Do[restsite.SiteList](t.Context(), local, signedIn(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), r)
		}},
	} {
		got, err := c.got(rest.Request{Operation: c.operation, Workspace: workspace, Path: uid})
		if err != nil {
			t.Fatalf("%s: %v", c.operation, err)
		}
		body, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var local, network any
		raw := api.do(request{path: c.path}).Raw
		if json.Unmarshal(body, &local) != nil || json.Unmarshal([]byte(raw), &network) != nil || !reflect.DeepEqual(local, network) {
			t.Errorf("%s: a page gets %s, the network %s", c.operation, body, raw)
		}
	}
}

func TestALocalCallIsRefusedAsAnyOther(t *testing.T) {
	api := newAPI(t)
	local := api.local()
	for name, c := range map[string]struct {
		as     auth.Principal
		call   rest.Request
		status int
		code   problem.Code
	}{
		"a scope is missing": {
			signedIn(v1alpha1.ScopeRead), rest.Request{Operation: "generate-article", Workspace: workspace, Body: map[string]any{}},
			http.StatusForbidden, problem.CodeInsufficientScope,
		},
		"a workspace of another account": {
			signedIn(v1alpha1.ScopeRead), rest.Request{Operation: "list-articles", Workspace: otherWorkspace},
			http.StatusNotFound, problem.CodeNotFound,
		},
		"a parameter is wrong": {
			signedIn(v1alpha1.ScopeRead), rest.Request{Operation: "list-articles", Workspace: workspace, Query: url.Values{"limit": {"101"}}},
			http.StatusBadRequest, problem.CodeValidation,
		},
		"a uid that leads to another path": {
			signedIn(v1alpha1.ScopeRead),
			rest.Request{Operation: "get-article", Workspace: workspace, Path: map[string]string{"uid": "../sites"}},
			http.StatusNotFound, problem.CodeNotFound,
		},
	} {
		_, err := rest.Do[articlelist.ArticlePage](t.Context(), local, c.as, c.call)
		var refused *problem.APIError
		if !errors.As(err, &refused) || refused.GetStatus() != c.status || refused.Problem.Code != c.code {
			t.Errorf("%s: got %v, want %d %s", name, err, c.status, c.code)
		}
	}
	if _, err := rest.Do[articlelist.ArticlePage](t.Context(), local, signedIn(), rest.Request{Operation: "no-such-operation"}); err == nil {
		t.Error("an operation that does not exist can be called")
	}
}

func TestARequestFromTheNetworkIsNoLocalCall(t *testing.T) {
	api := newAPI(t)
	api.local()
	got := api.do(request{path: "/v1/api/whoami", key: "none", header: map[string]string{"x-session": "s1", "cookie": "session=s1"}})
	if got.Status != http.StatusUnauthorized {
		t.Errorf("got %d, want 401", got.Status)
	}
}
