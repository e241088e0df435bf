package key_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/key"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// pages is what pages of the process call the operations with.
func pages(api *operationtest.API) *operation.Local {
	api.T.Helper()
	api.Deps.Local = &operation.Local{}
	api.Do(operationtest.Request{Path: "/v1/api/whoami"})
	return api.Deps.Local
}

func manager(scopes ...v1alpha1.Scope) auth.Principal {
	return auth.Principal{ID: "mara@acme.example", Account: "acme", Name: "mara@acme.example", Scopes: append(scopes, v1alpha1.ScopeManage)}
}

// agentKey makes the key of an agent.
func agentKey(t *testing.T, api *operationtest.API) *v1alpha1.APIKey {
	t.Helper()
	_, stored := made(t, api, create(`{"name":"agent","scopes":["read","write"],"workspaces":["acme-blog"],"credits_per_day":20}`))
	return stored
}

func TestTheActivityOfAKeyIsWhatItsArticlesSay(t *testing.T) {
	api := operationtest.New(t)
	agent := agentKey(t, api)
	by := func(annotation, who string) func(*v1alpha1.Article) {
		return func(a *v1alpha1.Article) { a.Annotations = map[string]string{annotation: who} }
	}
	first := api.Article(by(v1alpha1.CreatedByAnnotation, "api-key:"+agent.Name))
	second := api.Article(by(v1alpha1.ChangedByAnnotation, "mara@acme.example,api-key:"+agent.Name))
	api.Article(by(v1alpha1.CreatedByAnnotation, "mara@acme.example"))
	api.Article(nil)
	on := key.OnKey{ID: agent.Name}
	got, err := key.GetActivity.Call(t.Context(), pages(api), manager(v1alpha1.ScopeRead), key.ActivityInput{OnKey: on})
	if err != nil {
		t.Fatal(err)
	}
	out := got.Body
	if out.Key.ID != agent.Name || out.Workspace != operationtest.Workspace || !slices.Equal(out.Workspaces, []string{operationtest.Workspace}) || out.HasMore {
		t.Errorf("got %+v", out)
	}
	deeds := map[string]index.Deeds{}
	for _, a := range out.Articles {
		deeds[a.UID] = a.Deeds
	}
	if len(deeds) != 2 || deeds[first.Name] != (index.Deeds{Created: true}) || deeds[second.Name] != (index.Deeds{Changed: true}) {
		t.Errorf("it did %+v", deeds)
	}
}

func TestTheActivityOfAKeyIsForThoseWhoMaySeeIt(t *testing.T) {
	api := operationtest.New(t)
	agent, local := agentKey(t, api), pages(api)
	api.Article(func(a *v1alpha1.Article) {
		a.Annotations = map[string]string{v1alpha1.CreatedByAnnotation: "api-key:" + agent.Name}
	})
	call := func(p auth.Principal, workspace string) (key.Activity, int) {
		got, err := key.GetActivity.Call(t.Context(), local, p, key.ActivityInput{OnKey: key.OnKey{ID: agent.Name}, Workspace: workspace})
		if refused, ok := errors.AsType[*problem.APIError](err); ok {
			return key.Activity{}, refused.GetStatus()
		}
		if err != nil {
			t.Fatal(err)
		}
		return got.Body, http.StatusOK
	}
	if got, status := call(manager(), ""); status != http.StatusOK || len(got.Articles) != 0 {
		t.Errorf("who may not read gets %d, %+v, want no articles", status, got.Articles)
	}
	reader := manager()
	reader.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
	stranger, limited := manager(v1alpha1.ScopeRead), manager(v1alpha1.ScopeRead)
	stranger.Account, limited.Workspaces = "rival", []string{"acme-shop"}
	for name, tt := range map[string]struct {
		who       auth.Principal
		workspace string
		want      int
	}{
		"who may not manage":                 {reader, "", http.StatusForbidden},
		"somebody of another account":        {stranger, "", http.StatusNotFound},
		"who is limited to other workspaces": {limited, "", http.StatusNotFound},
		"who asks for another's workspace":   {manager(v1alpha1.ScopeRead), operationtest.OtherWorkspace, http.StatusNotFound},
	} {
		if _, status := call(tt.who, tt.workspace); status != tt.want {
			t.Errorf("%s: got %d, want %d", name, status, tt.want)
		}
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{
		Path: keysPath + "/" + agent.Name + "/activity", Key: operationtest.ManagerKey, Workspace: "-",
	}), http.StatusNotFound, problem.CodeNotFound)
}

func TestALimitOfCreditsIsAtMostThatOfItsMaker(t *testing.T) {
	api := operationtest.New(t)
	out, stored := made(t, api, create(`{"name":"agent","scopes":["read"],"credits_per_day":0}`))
	if out.CreditsPerDay == nil || *out.CreditsPerDay != 0 || *stored.Spec.Limits.CreditsPerDay != 0 {
		t.Errorf("the limit is %v, want 0", out.CreditsPerDay)
	}
	if out, _ := made(t, api, create(`{"name":"any","scopes":["read"]}`)); out.CreditsPerDay != nil {
		t.Errorf("the limit is %v, want none", *out.CreditsPerDay)
	}
	operationtest.WantFields(t, api.Do(create(`{"name":"agent","scopes":["read"],"credits_per_day":1000001}`)), "credits_per_day")
	limited := manager(v1alpha1.ScopeRead)
	limited.CreditsPerDay, limited.LimitedKey = new(int32(20)), "k3"
	body := key.CreateAPIKeyRequest{Name: "agent", Scopes: []string{"read"}, CreditsPerDay: new(int32(21))}
	local := pages(api)
	var refused *problem.APIError
	if _, err := key.Create.Call(t.Context(), local, limited, key.CreateInput{Body: body}); !errors.As(err, &refused) || refused.GetStatus() != http.StatusBadRequest {
		t.Errorf("more than the own limit: got %v, want 400", err)
	}
	body.CreditsPerDay = new(int32(20))
	if got, err := key.Create.Call(t.Context(), local, limited, key.CreateInput{Body: body}); err != nil || *got.Body.CreditsPerDay != 20 {
		t.Errorf("as much as the own limit: got %v", err)
	}
}
