package operation_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// signedIn is somebody with a session and some scopes.
func signedIn(scopes ...v1alpha1.Scope) auth.Principal {
	return auth.Principal{ID: "mara", Account: "acme", Name: "mara@acme.example", Scopes: scopes}
}

// local returns the operations for pages of the same process.
func local(api *operationtest.API) *operation.Local {
	api.T.Helper()
	api.Deps.Local = &operation.Local{}
	api.Do(operationtest.Request{Path: "/v1/api/whoami"})
	return api.Deps.Local
}

// here names the workspace of the tests.
var here = operation.InWorkspace{Workspace: operationtest.Workspace}

func TestALocalCallIsMadeAsThePersonWhoIsSignedIn(t *testing.T) {
	api := operationtest.New(t)
	local := local(api)
	who, err := account.WhoAmI.Call(t.Context(), local, signedIn(v1alpha1.ScopeRead), struct{}{})
	if err != nil || who.Body.Name != "mara@acme.example" || who.Body.Account != "acme" {
		t.Fatalf("whoami = %+v, %v", who, err)
	}
	a := api.Article(nil)
	page, err := articlelist.List.Call(t.Context(), local, signedIn(v1alpha1.ScopeRead), articlelist.ListInput{InWorkspace: here, Limit: 5})
	if err != nil || len(page.Body.Data) != 1 {
		t.Fatalf("list-articles = %+v, %v", page, err)
	}
	one, err := restarticle.Get.Call(t.Context(), local, signedIn(v1alpha1.ScopeRead),
		restarticle.GetInput{OnArticle: restarticle.OnArticle{InWorkspace: here, UID: a.Name}})
	if err != nil || one.Body.UID != page.Body.Data[0].UID || one.ETag == "" {
		t.Fatalf("get-article = %+v, %v", one, err)
	}
}

func TestALocalCallIsAnsweredAsOneFromTheNetwork(t *testing.T) {
	api := operationtest.New(t)
	ctx, local, all := t.Context(), local(api), signedIn(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	uid := api.Article(nil).Name
	for path, call := range map[string]func() (any, error){
		"/v1/api/blogs": func() (any, error) {
			out, err := articlelist.List.Call(ctx, local, all, articlelist.ListInput{InWorkspace: here})
			return out.Body, err
		},
		"/v1/api/blogs/" + uid: func() (any, error) {
			out, err := restarticle.Get.Call(ctx, local, all, restarticle.GetInput{OnArticle: restarticle.OnArticle{InWorkspace: here, UID: uid}})
			return out.Body, err
		},
		"/v1/api/sites": func() (any, error) {
			out, err := restsite.List.Call(ctx, local, all, struct{}{})
			return out.Body, err
		},
	} {
		got, err := call()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		body, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var local, network any
		raw := api.Do(operationtest.Request{Path: path}).Raw
		if json.Unmarshal(body, &local) != nil || json.Unmarshal([]byte(raw), &network) != nil || !reflect.DeepEqual(local, network) {
			t.Errorf("%s: a page gets %s, the network %s", path, body, raw)
		}
	}
}

func TestALocalCallIsRefusedAsAnyOther(t *testing.T) {
	api := operationtest.New(t)
	ctx, local, reader := t.Context(), local(api), signedIn(v1alpha1.ScopeRead)
	list := func(in articlelist.ListInput) error {
		_, err := articlelist.List.Call(ctx, local, reader, in)
		return err
	}
	_, missing := generation.Generate.Call(ctx, local, reader, generation.GenerateInput{InWorkspace: here})
	_, elsewhere := restarticle.Get.Call(ctx, local, reader,
		restarticle.GetInput{OnArticle: restarticle.OnArticle{InWorkspace: here, UID: "../sites"}})
	for name, c := range map[string]struct {
		err    error
		status int
		code   problem.Code
	}{
		"a scope is missing": {missing, http.StatusForbidden, problem.CodeInsufficientScope},
		"a workspace of another account": {
			list(articlelist.ListInput{InWorkspace: operation.InWorkspace{Workspace: operationtest.OtherWorkspace}}), http.StatusNotFound, problem.CodeNotFound,
		},
		"no workspace":                     {list(articlelist.ListInput{}), http.StatusBadRequest, problem.CodeValidation},
		"a parameter is wrong":             {list(articlelist.ListInput{InWorkspace: here, Limit: 101}), http.StatusBadRequest, problem.CodeValidation},
		"a uid that leads to another path": {elsewhere, http.StatusNotFound, problem.CodeNotFound},
	} {
		var refused *problem.APIError
		if !errors.As(c.err, &refused) || refused.GetStatus() != c.status || refused.Problem.Code != c.code {
			t.Errorf("%s: got %v, want %d %s", name, c.err, c.status, c.code)
		}
	}
}

func TestARequestFromTheNetworkIsNoLocalCall(t *testing.T) {
	api := operationtest.New(t)
	local(api)
	got := api.Do(operationtest.Request{Path: "/v1/api/whoami", Key: "none", Header: map[string]string{"x-session": "s1", "cookie": "session=s1"}})
	if got.Status != http.StatusUnauthorized {
		t.Errorf("got %d, want 401", got.Status)
	}
}
