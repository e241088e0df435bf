package key_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/key"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// maker is somebody who makes keys: until a time, for some workspaces, and without some scopes.
type maker struct {
	end        time.Time
	workspaces []string
	without    []v1alpha1.Scope
}

func (m maker) Authenticate(context.Context, string) (auth.Principal, error) {
	scopes := slices.DeleteFunc(auth.Scopes(), func(s v1alpha1.Scope) bool { return slices.Contains(m.without, s) })
	return auth.Principal{ID: "k6", Account: "acme", Scopes: scopes, ExpiresAt: m.end, Workspaces: m.workspaces}, nil
}

func objectKey(id string) client.ObjectKey { return client.ObjectKey{Name: id} }

// keyOf is a key of an account for all of its workspaces, or for some.
func keyOf(account, id string, workspaces ...string) *v1alpha1.APIKey {
	return &v1alpha1.APIKey{
		ObjectMeta: metav1.ObjectMeta{Name: id, UID: "u", CreationTimestamp: metav1.NewTime(operationtest.Began)},
		Spec: v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: account}, DisplayName: id[:1], Scopes: auth.Scopes()[:1], Workspaces: workspaces,
		},
	}
}

// The ids of some keys.
const (
	wide    = "aaaaaaaaaaaaaaaa"
	narrow  = "cccccccccccccccc"
	foreign = "bbbbbbbbbbbbbbbb"
)

func newAPI(t *testing.T, by maker) *operationtest.API {
	t.Helper()
	api := operationtest.New(t)
	api.Deps.Authenticator = by
	api.Objects.Add(keyOf("acme", wide), keyOf("acme", narrow, operationtest.Workspace), keyOf("rival", foreign))
	return api
}

func TestAKeyIsSeenAndChangedByThoseWhoCouldHaveMadeIt(t *testing.T) {
	for name, tt := range map[string]struct {
		by   maker
		want []string
	}{
		"for the whole account": {maker{}, []string{wide, narrow}},
		"for a workspace":       {maker{workspaces: []string{operationtest.Workspace}}, []string{narrow}},
		"for another workspace": {maker{workspaces: []string{"acme-shop"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			api := newAPI(t, tt.by)
			var list key.APIKeyList
			api.Into(operationtest.Request{Path: keysPath}, &list)
			var got []string
			for _, k := range list.Data {
				got = append(got, k.ID)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("the list has %v, want %v", got, tt.want)
			}
			for _, id := range []string{wide, narrow, foreign, "none", "dddddddddddddddd"} {
				for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
					r := operationtest.Request{Method: method, Path: keysPath + "/" + id}
					if method == http.MethodPatch {
						r.Body = `{"name":"n"}`
					}
					answer := api.Do(r)
					if slices.Contains(tt.want, id) {
						if answer.Status >= http.StatusBadRequest {
							t.Errorf("%s %s: got %d: %s", method, id, answer.Status, answer.Raw)
						}
						continue
					}
					operationtest.WantFailure(t, answer, http.StatusNotFound, problem.CodeNotFound)
				}
			}
		})
	}
}

func TestTheEndOfAKeyIsChangedWithinThatOfTheCaller(t *testing.T) {
	api := newAPI(t, maker{end: operationtest.Began.Add(time.Hour)})
	path := keysPath + "/" + wide
	for body, want := range map[string]string{
		`{"expires_at":null}`:                   "expires_at",
		`{"expires_at":"2026-11-20T11:00:00Z"}`: "expires_at",
		`{"expires_at":"2026-11-20T08:00:00Z"}`: "expires_at",
		`{"scopes":["read"]}`:                   "scopes",
		`{"name":""}`:                           "name",
	} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Method: http.MethodPatch, Path: path, Body: body}), want)
	}
	var got key.APIKeyAnswer
	api.Into(operationtest.Request{Method: http.MethodPatch, Path: path, Body: `{"expires_at":"2026-11-20T09:30:00Z"}`}, &got)
	if got.Name != "a" || got.ExpiresAt == nil || *got.ExpiresAt != "2026-11-20T09:30:00.000Z" {
		t.Errorf("got %+v, want the same name and the new end", got.APIKey)
	}
	api.Clock.Step(time.Hour)
	api.Deps.Authenticator = maker{}
	if api.Into(operationtest.Request{Path: path}, &got); got.Status != "expired" {
		t.Errorf("afterwards it is %s", got.Status)
	}
}

func TestALongerLifeOfAKeyNeedsWhatMakingItNeeds(t *testing.T) {
	end := func(hours int) *v1alpha1.Time {
		return &v1alpha1.Time{Time: operationtest.Began.Add(time.Duration(hours) * time.Hour)}
	}
	const later, sooner, none = `{"expires_at":"2026-11-20T12:00:00Z"}`, `{"expires_at":"2026-11-20T09:30:00Z"}`, `{"expires_at":null}`
	lacks := maker{without: []v1alpha1.Scope{v1alpha1.ScopeApprove}}
	for name, tt := range map[string]struct {
		by        maker
		end       *v1alpha1.Time
		madeWith  *v1alpha1.APIKey
		body      string
		wantWrong bool
	}{
		"later, with all of its scopes":               {maker{}, end(1), nil, later, false},
		"later, without one of its scopes":            {lacks, end(1), nil, later, true},
		"no end, without one of its scopes":           {lacks, end(1), nil, none, true},
		"one that has expired, without a scope":       {lacks, end(-1), nil, sooner, true},
		"sooner, without one of its scopes":           {lacks, end(1), nil, sooner, false},
		"an end where it has none, without a scope":   {lacks, nil, nil, later, false},
		"no end where it has none, without a scope":   {lacks, nil, nil, none, false},
		"another name, without one of its scopes":     {lacks, end(1), nil, `{"name":"n"}`, false},
		"later than the key ends that made it":        {maker{}, end(1), withEnd(end(2)), later, true},
		"no end, where the key ends that made it":     {maker{}, end(1), withEnd(end(2)), none, true},
		"later, within the end of its maker":          {maker{}, end(1), withEnd(end(3)), later, false},
		"later, and the key that made it has no end":  {maker{}, end(1), withEnd(nil), none, false},
		"later, and the key that made it has expired": {maker{}, end(1), withEnd(end(-1)), later, true},
	} {
		t.Run(name, func(t *testing.T) {
			api := newAPI(t, tt.by)
			k := keyOf("acme", "eeeeeeeeeeeeeeee")
			k.Spec.Scopes, k.Spec.ExpirationTime = auth.Scopes(), tt.end
			if tt.madeWith != nil {
				k.Spec.CreatedByRef = &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: tt.madeWith.Name}
				api.Objects.Add(tt.madeWith)
			}
			api.Objects.Add(k)
			got := api.Do(operationtest.Request{Method: http.MethodPatch, Path: keysPath + "/" + k.Name, Body: tt.body})
			if tt.wantWrong {
				operationtest.WantFields(t, got, "expires_at")
			} else if got.Status != http.StatusOK {
				t.Errorf("got %d: %s", got.Status, got.Raw)
			}
			stored := &v1alpha1.APIKey{}
			if err := api.Objects.Get(t.Context(), objectKey(k.Name), stored); err != nil {
				t.Fatal(err)
			}
			if tt.wantWrong && !stored.Spec.ExpirationTime.Equal(tt.end) {
				t.Errorf("it ends %v", stored.Spec.ExpirationTime)
			}
		})
	}
}

// withEnd is a key that has made another one.
func withEnd(end *v1alpha1.Time) *v1alpha1.APIKey {
	k := keyOf("acme", "ffffffffffffffff")
	k.Spec.ExpirationTime = end
	return k
}

// The cache of a replica learns of a revocation a moment after kube-apiserver has it.
func TestARevocationIsAnsweredOnceTheReplicaRefusesTheKey(t *testing.T) {
	api := operationtest.NewAlone(t)
	api.Deps.Authenticator = maker{}
	api.Objects.Add(keyOf("acme", wide))
	looks := 0
	api.Deps.Refused = func(_ context.Context, gone client.Object) bool {
		if k, ok := gone.(*v1alpha1.APIKey); !ok || k.Name != wide || k.UID != "u" {
			t.Errorf("it waits for %T %s", gone, gone.GetName())
		}
		looks++
		return looks > 2
	}
	got := api.Do(operationtest.Request{Method: http.MethodDelete, Path: keysPath + "/" + wide})
	if got.Status != http.StatusNoContent || looks != 3 {
		t.Errorf("got %d after %d looks, want 204 after 3: %s", got.Status, looks, got.Raw)
	}
}

func TestAKeySaysWhoMadeIt(t *testing.T) {
	for name, tt := range map[string]struct {
		by   *v1alpha1.CreatorReference
		want string
	}{
		"the command line":         {nil, ""},
		"a member":                 {&v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: "mara@acme.example"}, "mara@acme.example"},
		"a key":                    {&v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: wide}, auth.NameOfKey(keyOf("acme", wide))},
		"a key that is no longer":  {&v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: "dddddddddddddddd"}, "api-key:dddddddddddddddd"},
		"a key of another account": {&v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: foreign}, "api-key:" + foreign},
	} {
		t.Run(name, func(t *testing.T) {
			api := newAPI(t, maker{})
			made := keyOf("acme", "eeeeeeeeeeeeeeee")
			made.Spec.CreatedByRef = tt.by
			api.Objects.Add(made)
			var got key.APIKeyAnswer
			if api.Into(operationtest.Request{Path: keysPath + "/" + made.Name}, &got); got.CreatedBy != tt.want {
				t.Errorf("created_by is %q, want %q", got.CreatedBy, tt.want)
			}
		})
	}
}
