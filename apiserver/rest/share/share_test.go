package share_test

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const address = "https://pressroom.example"

func newKeys(t *testing.T) seal.Keys {
	t.Helper()
	key := make([]byte, 32)
	rand.Read(key)
	keys, err := seal.ParseKeys([]byte(base64.StdEncoding.EncodeToString(key)))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// sharing is a REST API whose installation has pages.
func sharing(t *testing.T) *operationtest.API {
	t.Helper()
	api := operationtest.New(t)
	api.Deps.Share = share.Deps{Keys: newKeys(t), Address: func() string { return address }}
	return api
}

func post(api *operationtest.API, uid, body string) testkit.Answer {
	return api.Do(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + uid + "/share", Body: body})
}

func TestALinkSaysWhenItEndsAndIsStoredNowhere(t *testing.T) {
	api := sharing(t)
	a := api.WithPending()
	before := api.Stored(a).DeepCopy()
	for body, days := range map[string]int{"": 7, "{}": 7, `{"expires_in_days":1}`: 1, `{"expires_in_days":30}`: 30} {
		var got share.LinkAnswer
		api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/share", Body: body}, &got)
		want := operationtest.Milliseconds(operationtest.Began.Add(time.Duration(days) * 24 * time.Hour))
		if got.ExpiresAt != want || !strings.HasPrefix(got.URL, address+share.Path) || len(got.URL) > 1000 {
			t.Errorf("%q: got %+v, want it to end at %s", body, got, want)
		}
		sealed := strings.TrimPrefix(got.URL, address+share.Path)
		link, err := share.OpenLink(api.Deps.Share.Keys, sealed, operationtest.Began)
		if err != nil || link.By != "Mara" || link.Workspace != operationtest.Workspace || link.Object != a.UID {
			t.Errorf("%q: the link carries %+v, %v", body, link, err)
		}
	}
	if after := api.Stored(a); !reflect.DeepEqual(before, after) {
		t.Errorf("the article was changed: %+v", after)
	}
}

func TestALinkIsRefused(t *testing.T) {
	other := "sha256:" + strings.Repeat("0", 64)
	for name, tt := range map[string]struct {
		change     func(*operationtest.API)
		body       string
		wantStatus int
		wantCode   problem.Code
		wantReason problem.Reason
	}{
		"no day":              {body: `{"expires_in_days":0}`, wantStatus: 400, wantCode: problem.CodeValidation},
		"too many days":       {body: `{"expires_in_days":31}`, wantStatus: 400, wantCode: problem.CodeValidation},
		"no digest":           {body: `{"revision_digest":"1"}`, wantStatus: 400, wantCode: problem.CodeValidation},
		"a text of elsewhere": {body: `{"revision_digest":"` + other + `"}`, wantStatus: 404, wantCode: problem.CodeNotFound},
		"an account that forbids it": {
			change:     func(api *operationtest.API) { api.Account.Spec.Sharing = v1alpha1.SharingForbidden },
			wantStatus: 403, wantCode: problem.CodeForbidden,
		},
		"no pages": {
			change:     func(api *operationtest.API) { api.Deps.Share = share.Deps{} },
			wantStatus: 409, wantCode: problem.CodeConflict, wantReason: problem.ReasonNotSupported,
		},
		"no address": {
			change:     func(api *operationtest.API) { api.Deps.Share.Address = func() string { return "" } },
			wantStatus: 503, wantCode: problem.CodeUnavailable,
		},
		"no session keys": {
			change:     func(api *operationtest.API) { api.Deps.Share.Keys = seal.Keys{} },
			wantStatus: 503, wantCode: problem.CodeUnavailable,
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := sharing(t)
			a := api.WithPending()
			if tt.change != nil {
				tt.change(api)
			}
			got := post(api, a.Name, tt.body)
			operationtest.WantFailure(t, got, tt.wantStatus, tt.wantCode)
			if f := operationtest.Failure(t, got); f.Problem.Reason != tt.wantReason {
				t.Errorf("the reason is %q, want %q", f.Problem.Reason, tt.wantReason)
			}
		})
	}
}

func TestAnArticleWithoutATextIsNotShared(t *testing.T) {
	api := sharing(t)
	got := post(api, api.Article(nil).Name, "")
	operationtest.WantFailure(t, got, http.StatusConflict, problem.CodeConflict)
}

func TestWhoMayShare(t *testing.T) {
	api := sharing(t)
	a := api.WithPending()
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		path := "/v1/api/blogs/" + a.Name + "/share"
		operationtest.WantFailure(t, api.Do(operationtest.Request{Method: method, Path: path, Key: operationtest.ReadOnlyKey}),
			http.StatusForbidden, problem.CodeInsufficientScope)
		operationtest.WantFailure(t, api.Do(operationtest.Request{Method: method, Path: path, Key: "rivals", Workspace: operationtest.OtherWorkspace}),
			http.StatusNotFound, problem.CodeNotFound)
		operationtest.WantFailure(t, api.Do(operationtest.Request{Method: method, Path: "/v1/api/blogs/" + operationtest.AnyUID + "/share"}),
			http.StatusNotFound, problem.CodeNotFound)
	}
}

// Links end for all who have one, and those of later do not.
func TestEndingLinksChangesTheirEpoch(t *testing.T) {
	api := sharing(t)
	a := api.WithPending()
	seen := map[string]bool{"": true}
	for range 3 {
		got := api.Do(operationtest.Request{Method: http.MethodDelete, Path: "/v1/api/blogs/" + a.Name + "/share"})
		if epoch := api.Stored(a).Annotations[v1alpha1.ShareEpochAnnotation]; got.Status != http.StatusNoContent || seen[epoch] {
			t.Fatalf("got %d %s, epoch %q", got.Status, got.Raw, epoch)
		} else {
			seen[epoch] = true
		}
	}
}
