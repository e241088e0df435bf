package operation_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/go-logr/logr/funcr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// operationLines has the API log, and returns its lines about operations.
func operationLines(api *operationtest.API) func() []map[string]any {
	var mu sync.Mutex
	var lines []map[string]any
	api.Deps.Log = funcr.NewJSON(func(line string) {
		var found map[string]any
		if err := json.Unmarshal([]byte(line), &found); err != nil {
			api.T.Error(err)
		}
		if found["msg"] == "operation" {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, found)
		}
	}, funcr.Options{})
	return func() []map[string]any {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(lines)
	}
}

func TestEachOperationThatDoesMoreThanReadIsLoggedOnce(t *testing.T) {
	const digest = "sha256:32b2e5a9cb4d8e0c7f0e9fcc4db3abdd12b80e31c50115e7d2889fa925268bb1"
	for name, tt := range map[string]struct {
		request func(a *v1alpha1.Article) operationtest.Request
		want    map[string]any
	}{
		"what is done": {
			func(a *v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "DELETE", Path: "/v1/api/blogs/" + a.Name}
			},
			map[string]any{"by": "Mara", "operation": "delete-article", "result": "done", "status": 204.0, "article": "uid", "workspace": operationtest.Workspace},
		},
		"what the article's state refuses": {
			func(a *v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + a.Name + "/approve", Body: `{"digest":"` + digest + `"}`}
			},
			map[string]any{
				"by": "Mara", "operation": "approve-article", "result": "refused", "status": 409.0, "article": "uid", "workspace": operationtest.Workspace, "digest": digest,
			},
		},
		"what the scope refuses": {
			func(a *v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + a.Name + "/approve", Key: operationtest.ReadOnlyKey}
			},
			map[string]any{"by": "", "operation": "approve-article", "result": "refused", "status": 403.0, "article": "uid"},
		},
		"what is not valid": {
			func(a *v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + a.Name + "/reject", Body: `{"note":""}`}
			},
			map[string]any{"by": "Mara", "operation": "reject-article", "result": "refused", "status": 400.0, "article": "uid"},
		},
		"another workspace": {
			func(a *v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + a.Name + "/archive", Workspace: operationtest.OtherWorkspace}
			},
			map[string]any{"by": "Mara", "operation": "archive-article", "result": "refused", "status": 404.0, "article": "uid"},
		},
		"a name that is no uid": {
			func(*v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "POST", Path: "/v1/api/blogs/x;y/archive"}
			},
			map[string]any{"by": "Mara", "operation": "archive-article", "result": "refused", "status": 404.0, "workspace": operationtest.Workspace},
		},
		"another object": {
			func(*v1alpha1.Article) operationtest.Request {
				return operationtest.Request{Method: "POST", Path: "/v1/api/sites/" + operationtest.OtherSiteUID + "/test", Workspace: "-"}
			},
			map[string]any{"by": "Mara", "operation": "test-site", "result": "refused", "status": 404.0, "object": operationtest.OtherSiteUID},
		},
	} {
		api := operationtest.New(t)
		lines := operationLines(api)
		a := api.Article(nil)
		q := tt.request(a)
		q.Header = map[string]string{"x-request-id": "r-1"}
		answer := api.Do(q)
		tt.want["account"], tt.want["requestID"], tt.want["level"], tt.want["logger"], tt.want["msg"] = "acme", "r-1", 0.0, "", "operation"
		if _, ok := tt.want["article"]; ok {
			tt.want["article"] = a.Name
		}
		if got := lines(); len(got) != 1 || !maps.Equal(got[0], tt.want) {
			t.Errorf("%s: logged %v, want %v; the answer was %s", name, got, tt.want, answer.Raw)
		}
	}
}

func TestTheArticleThatWasMadeIsLogged(t *testing.T) {
	api := operationtest.New(t)
	lines := operationLines(api)
	var made struct {
		UID string `json:"blog_uid"`
	}
	api.Into(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}, &made)
	if got := lines(); len(got) != 1 || got[0]["article"] != made.UID || got[0]["operation"] != "generate-article" || made.UID == "" {
		t.Errorf("logged %v, want %s", got, made.UID)
	}
}

func TestReadingAndStrangersAreNotLogged(t *testing.T) {
	api := operationtest.New(t)
	lines := operationLines(api)
	a := api.Article(nil)
	api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name})
	api.Do(operationtest.Request{Path: "/v1/api/blogs?limit=0"})
	api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/preview", Body: `{"content_markdown":"Some *text*."}`})
	api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + a.Name + "/archive", Key: "wrong"})
	api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + a.Name + "/archive", Key: "away"})
	if got := lines(); len(got) != 0 {
		t.Errorf("logged %v, want nothing", got)
	}
}

func TestRequestsOverTheLimitAreNotLogged(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits.RequestsPerSecond, api.Deps.Limits.RequestBurst = 1, 1
	lines := operationLines(api)
	var statuses []int
	for range 4 {
		statuses = append(statuses, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + operationtest.SiteUID + "/archive"}).Status)
	}
	if got := lines(); len(got) != 1 || !slices.Contains(statuses, 429) {
		t.Errorf("logged %d lines for the answers %s, want one of the request that was not over the limit", len(got), fmt.Sprint(statuses))
	}
}

func TestEachArticleOfABulkRequestIsLogged(t *testing.T) {
	api := operationtest.New(t)
	lines := operationLines(api)
	a, b := api.Article(nil), api.Article(nil)
	api.Into(operationtest.Request{
		Method: "POST", Path: "/v1/api/blogs/bulk",
		Body: `{"operation":"delete","items":[{"uid":"` + a.Name + `"},{"uid":"` + operationtest.SiteUID + `"},{"uid":"` + b.Name + `"},{"uid":"x"}]}`,
	}, nil)
	got := map[string]int{}
	for _, line := range lines() {
		got[fmt.Sprint(line["operation"], " ", line["article"], " ", line["result"], " ", line["status"], " ", line["by"])]++
	}
	want := map[string]int{
		"delete-article " + a.Name + " done 200 Mara": 1, "delete-article " + b.Name + " done 200 Mara": 1,
		"delete-article " + operationtest.SiteUID + " refused 404 Mara": 1, "delete-article <nil> refused 404 Mara": 1, "bulk-articles <nil> done 200 Mara": 1,
	}
	if !maps.Equal(got, want) {
		t.Errorf("logged %v, want %v", got, want)
	}
}

func TestAnArticleOfABulkRequestIsLoggedUnderTheOperationOfItsOwn(t *testing.T) {
	api := operationtest.New(t)
	lines := operationLines(api)
	body := `{"operation":"cancel-publication","items":[{"uid":"` + api.Article(nil).Name + `"}]}`
	api.Into(operationtest.Request{Method: "POST", Path: "/v1/api/blogs/bulk", Body: body}, nil)
	if got := lines(); len(got) != 2 || got[0]["operation"] != "cancel-publication" {
		t.Errorf("logged %v, want cancel-publication first", got)
	}
}
