package review_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

const bulkPath = "/v1/api/blogs/bulk"

// bulkBody is the body of a bulk request about articles.
func bulkBody(operation, more string, uids ...string) string {
	items := make([]string, 0, len(uids))
	for _, uid := range uids {
		items = append(items, `{"uid":"`+uid+`"}`)
	}
	return fmt.Sprintf(`{"operation":%q,"items":[%s]%s}`, operation, strings.Join(items, ","), more)
}

func TestABulkRequestNamesWhatIsWrongWithIt(t *testing.T) {
	api := operationtest.New(t)
	uid := api.Article(nil).Name
	digest := `"sha256:` + strings.Repeat("0", 64) + `"`
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", i)
	}
	for body, want := range map[string][]string{
		bulkBody("archive", ""):                                                                       {"items"},
		bulkBody("archive", "", many...):                                                              {"items"},
		bulkBody("archive", "", uid, strings.ToUpper(uid)):                                            {"items[1].uid"},
		bulkBody("archive", `,"note":"no"`, uid):                                                      {"note"},
		bulkBody("reject", "", uid):                                                                   {"note"},
		bulkBody("approve", `,"publish_at":"2026-12-01T09:00:00Z"`, uid):                              {"publish_at"},
		bulkBody("publish", `,"publish_at":"soon"`, uid):                                              {"publish_at"},
		`{"operation":"approve","items":[{"uid":"` + uid + `","publish_at":"2026-12-01T09:00:00Z"}]}`: {"items[0].publish_at"},
		`{"operation":"archive","items":[{"uid":"` + uid + `","digest":` + digest + `}]}`:             {"items[0].digest"},
		`{"operation":"approve","items":[{"uid":"` + uid + `","digest":"x"}]}`:                        {"items[0].digest"},
		bulkBody("generate", "", uid):                                                                 {"operation"},
		`{"items":[{"uid":"` + uid + `"}]}`:                                                           {"operation"},
		bulkBody("archive", `,"force":true`, uid):                                                     {"force"},
	} {
		t.Run(body[:min(len(body), 60)], func(t *testing.T) {
			operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: bulkPath, Body: body}), want...)
		})
	}
}

func TestABulkRequestNeedsTheScopeOfItsOperation(t *testing.T) {
	api := operationtest.New(t)
	for _, operation := range []string{"submit", "approve", "reject", "publish", "cancel-publication", "archive", "unarchive", "regenerate", "redeliver", "delete"} {
		more := ""
		if operation == "reject" {
			more = `,"note":"no"`
		}
		body := bulkBody(operation, more, api.Article(nil).Name)
		operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: bulkPath, Body: body, Key: operationtest.ReadOnlyKey}), http.StatusForbidden, problem.CodeInsufficientScope)
	}
	body := bulkBody("delete", "", api.Article(nil).Name)
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: bulkPath, Body: body, Workspace: operationtest.OtherWorkspace}), http.StatusNotFound, problem.CodeNotFound)
}

func TestAnItemThatFailsStopsNoOther(t *testing.T) {
	api := operationtest.New(t)
	gone := "0198f0a1-0000-7000-8000-00000000aaaa"
	kept, other := api.Article(nil).Name, api.Article(nil).Name
	var got review.BulkAnswer
	api.Into(operationtest.Request{Method: "POST", Path: bulkPath, Body: bulkBody("delete", "", kept, gone, "no-uid", other)}, &got)
	if got.Done != 2 || got.Failed != 2 || len(got.Data) != 4 {
		t.Fatalf("got %+v, want 2 done and 2 failed", got)
	}
	for i, want := range []struct {
		uid  string
		done bool
	}{{kept, true}, {gone, false}, {"no-uid", false}, {other, true}} {
		r := got.Data[i]
		if r.UID != want.uid || r.Done != want.done || (r.Problem == nil) != want.done {
			t.Errorf("result %d is %+v, want %+v", i, r, want)
		}
		if r.Problem != nil && r.Problem.Code != problem.CodeNotFound {
			t.Errorf("result %d fails with %s, want NOT_FOUND", i, r.Problem.Code)
		}
	}
	api.Objects.DeleteErr = errors.New("kube-apiserver is away")
	api.Into(operationtest.Request{Method: "POST", Path: bulkPath, Body: bulkBody("delete", "", api.Article(nil).Name)}, &got)
	if r := got.Data[0]; r.Done || r.Problem.Code != problem.CodeUnavailable || strings.Contains(r.Problem.Message, "away") {
		t.Errorf("an error of kube-apiserver is %+v", r.Problem)
	}
}

func TestEachItemCountsAsARequest(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits.RequestsPerSecond, api.Deps.Limits.RequestBurst = 0.001, 3
	uids := make([]string, 0, 4)
	for range 4 {
		uids = append(uids, api.Article(nil).Name)
	}
	var got review.BulkAnswer
	api.Into(operationtest.Request{Method: "POST", Path: bulkPath, Body: bulkBody("delete", "", uids...)}, &got)
	limited := 0
	for _, r := range got.Data {
		if r.Problem != nil && r.Problem.Code == problem.CodeRateLimited {
			limited++
		}
	}
	if got.Done != 3 || limited != 1 {
		t.Errorf("%d done and %d limited, want 3 and 1: %+v", got.Done, limited, got.Data)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs"}), http.StatusTooManyRequests, problem.CodeRateLimited)
}

func TestAPanicOfAnItemIsItsOwn(t *testing.T) {
	api := operationtest.New(t)
	a, b := api.Article(nil), api.Article(nil)
	api.Objects.OnDelete = func(name string) {
		if name == a.Name {
			panic("broken")
		}
	}
	var got review.BulkAnswer
	api.Into(operationtest.Request{Method: "POST", Path: bulkPath, Body: bulkBody("delete", "", a.Name, b.Name)}, &got)
	if got.Data[0].Done || got.Data[0].Problem.Code != problem.CodeInternal || !got.Data[1].Done {
		t.Errorf("got %+v, want the first one to fail and the second one to be done", got.Data)
	}
}
