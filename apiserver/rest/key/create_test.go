package key_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/key"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

const keysPath = "/v1/api/keys"

// create is a request for a key by somebody who may make keys.
func create(body string) operationtest.Request {
	return operationtest.Request{Method: http.MethodPost, Path: keysPath, Body: body, Key: operationtest.ManagerKey, Workspace: "-"}
}

// made makes a key, and returns the answer and the object.
func made(t *testing.T, api *operationtest.API, r operationtest.Request) (key.CreatedAPIKey, *v1alpha1.APIKey) {
	t.Helper()
	var out key.CreatedAPIKey
	api.Into(r, &out)
	stored := &v1alpha1.APIKey{}
	if err := api.Objects.Get(t.Context(), objectKey(out.ID), stored); err != nil {
		t.Fatal(err)
	}
	return out, stored
}

func TestAKeyHasWhatWasAskedForAndItsSecretIsShownOnce(t *testing.T) {
	api := operationtest.New(t)
	out, stored := made(t, api, create(`{"name":"newsletter","scopes":["write","read"],"workspaces":["acme-blog"],"expires_at":"2026-11-21T09:00:00.9Z"}`))
	secret, err := credential.Parse(out.Secret)
	if err != nil || secret.ID != out.ID || !secret.Matches(stored.Spec.SecretHash) {
		t.Errorf("the secret is of the key %s, %v, want %s", secret.ID, err, out.ID)
	}
	// Whole seconds, and not one more.
	if want := "2026-11-21T09:00:00.000Z"; ptr.Deref(out.ExpiresAt, "") != want || out.Status != "valid" {
		t.Errorf("it is %s until %v, want valid until %s", out.Status, out.ExpiresAt, want)
	}
	if s := stored.Spec; s.DisplayName != "newsletter" || s.AccountRef.Name != "acme" || fmt.Sprint(s.Scopes, s.Workspaces) != "[Read Write] [acme-blog]" {
		t.Errorf("the spec is %+v", s)
	}
	got := api.Do(operationtest.Request{Path: keysPath + "/" + out.ID, Key: operationtest.ManagerKey, Workspace: "-"})
	if got.Status != http.StatusOK || strings.Contains(got.Raw, "secret") {
		t.Errorf("got %d, and the secret again: %s", got.Status, got.Raw)
	}
}

func TestAKeyIsRefusedWithTheFieldThatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"nothing":                {`{}`, []string{"name", "scopes"}},
		"no scope":               {`{"name":"n","scopes":[]}`, []string{"scopes"}},
		"an unknown scope":       {`{"name":"n","scopes":["admin"]}`, []string{"scopes[0]"}},
		"a scope twice":          {`{"name":"n","scopes":["read","read"]}`, []string{"scopes"}},
		"a name of 201":          {`{"name":"` + strings.Repeat("ü", 201) + `","scopes":["read"]}`, []string{"name"}},
		"another's workspace":    {`{"name":"n","scopes":["read"],"workspaces":["acme-blog","rival-blog"]}`, []string{"workspaces[1]"}},
		"an end in the past":     {`{"name":"n","scopes":["read"],"expires_at":"2026-11-20T09:00:00Z"}`, []string{"expires_at"}},
		"a time that is none":    {`{"name":"n","scopes":["read"],"expires_at":"soon"}`, []string{"expires_at"}},
		"a member of the future": {`{"name":"n","scopes":["read"],"role":"admin"}`, []string{"role"}},
	} {
		t.Run(name, func(t *testing.T) {
			operationtest.WantFields(t, operationtest.New(t).Do(create(tt.body)), tt.want...)
		})
	}
}

func TestNobodyMakesAKeyWithoutTheScopeManage(t *testing.T) {
	api := operationtest.New(t)
	r := create(`{"name":"n","scopes":["read"]}`)
	r.Key = operationtest.RightKey
	operationtest.WantFailure(t, api.Do(r), http.StatusForbidden, problem.CodeInsufficientScope)
}

func TestAnAccountHasALimitOfKeys(t *testing.T) {
	api := operationtest.New(t)
	api.Account.Spec.Limits.APIKeys = new(int32(1))
	api.Objects.Add(keyOf("rival", "bbbbbbbbbbbbbbbb"))
	made(t, api, create(`{"name":"n","scopes":["read"]}`))
	operationtest.WantLimit(t, api.Do(create(`{"name":"n","scopes":["read"]}`)), "apiKeys", 1)
}

// Otherwise, each refused request would leave a record in the system namespace.
func TestAKeyThatKubernetesRefusesLeavesNothing(t *testing.T) {
	api := operationtest.New(t)
	api.Objects.KeyErr = apierrors.NewForbidden(schema.GroupResource{Resource: "apikeys"}, "k", errors.New("a policy"))
	request := create(`{"name":"n","scopes":["read"]}`)
	request.Header = map[string]string{"Idempotency-Key": "order-1"}
	if got := api.Do(request); got.Status != http.StatusForbidden || len(api.Objects.Records) > 0 {
		t.Errorf("got %d and %d records: %s", got.Status, len(api.Objects.Records), got.Raw)
	}
	api.Objects.KeyErr = nil
	if got := api.Do(request); got.Status != http.StatusCreated {
		t.Errorf("a repeat: got %d: %s", got.Status, got.Raw)
	}
}

func TestAKeyEndsByDefaultWithThatOfItsMaker(t *testing.T) {
	for name, tt := range map[string]struct {
		end       time.Time
		body      string
		want      string
		wantField string
	}{
		"never":              {time.Time{}, ``, "", ""},
		"with the maker's":   {operationtest.Began.Add(time.Hour), ``, "2026-11-20T10:00:00.000Z", ""},
		"before the maker's": {operationtest.Began.Add(time.Hour), `,"expires_at":"2026-11-20T09:30:00Z"`, "2026-11-20T09:30:00.000Z", ""},
		"after the maker's":  {operationtest.Began.Add(time.Hour), `,"expires_at":"2026-11-20T10:00:01Z"`, "", "expires_at"},
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			api.Deps.Authenticator = maker{end: tt.end}
			r := create(`{"name":"n","scopes":["read"]` + tt.body + `}`)
			if tt.wantField != "" {
				operationtest.WantFields(t, api.Do(r), tt.wantField)
				return
			}
			out, _ := made(t, api, r)
			if diff := cmp.Diff(tt.want, ptr.Deref(out.ExpiresAt, "")); diff != "" {
				t.Errorf("expires_at (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAKeyHasNoMoreThanItsMaker(t *testing.T) {
	limited := maker{
		workspaces: []string{operationtest.Workspace}, without: []v1alpha1.Scope{v1alpha1.ScopeWrite, v1alpha1.ScopeApprove},
		end: operationtest.Began.Add(time.Hour),
	}
	for body, want := range map[string]string{
		`"scopes":["read","write"]`:                                       "scopes[1]",
		`"scopes":["approve"]`:                                            "scopes[0]",
		`"scopes":["read"],"workspaces":["acme-shop"]`:                    "workspaces[0]",
		`"scopes":["read"],"workspaces":["acme-blog","pressroom-system"]`: "workspaces[1]",
		`"scopes":["read"],"expires_at":"2026-11-20T10:00:01Z"`:           "expires_at",
	} {
		api := operationtest.New(t)
		api.Deps.Authenticator = limited
		operationtest.WantFields(t, api.Do(create(`{"name":"n",`+body+`}`)), want)
	}
	api := operationtest.New(t)
	api.Deps.Authenticator = limited
	out, _ := made(t, api, create(`{"name":"n","scopes":["manage","read"]}`))
	if fmt.Sprint(out.Scopes, out.Workspaces) != "[read manage] [acme-blog]" || ptr.Deref(out.ExpiresAt, "") != "2026-11-20T10:00:00.000Z" {
		t.Errorf("what is not asked for is %+v, want what the maker has", out.APIKey)
	}
}
