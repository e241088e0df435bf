package article_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAnUnknownUIDIsLookedUpOnce(t *testing.T) {
	api := operationtest.NewAlone(t)
	ask := operationtest.Request{Path: "/v1/api/blogs/" + operationtest.AnyUID}
	for range 10 {
		operationtest.WantFailure(t, api.Do(ask), http.StatusNotFound, problem.CodeNotFound)
	}
	if api.Objects.Reads != 1 {
		t.Errorf("kube-apiserver was asked %d times, want once", api.Objects.Reads)
	}
	// Another replica creates the article.
	a := api.Article(nil)
	a.Name = operationtest.AnyUID
	api.Objects.Articles[client.ObjectKeyFromObject(a)] = a
	api.Clock.Step(3 * time.Second)
	if got := api.Do(ask); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestTheLookUpsOfUnknownUIDsHaveABoundForEachAccount(t *testing.T) {
	api := operationtest.NewAlone(t)
	throttled := 0
	for i := range 400 {
		r := operationtest.Request{Path: fmt.Sprintf("/v1/api/blogs/0198f0a1-0000-7000-8000-%012d", i), Key: fmt.Sprint("minted-", i%10)}
		if i%2 == 0 {
			r.Method = http.MethodDelete
		}
		if got := api.Do(r); got.Status == http.StatusTooManyRequests {
			throttled++
		}
	}
	if api.Objects.Reads > 100 || throttled < 300 {
		t.Errorf("kube-apiserver was asked %d times, and %d were throttled", api.Objects.Reads, throttled)
	}
	known := api.Article(nil)
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + known.Name}); got.Status != http.StatusOK {
		t.Errorf("an article that the index has: got %d: %s", got.Status, got.Raw)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + operationtest.AnyUID, Key: "rivals", Workspace: operationtest.OtherWorkspace}), http.StatusNotFound, problem.CodeNotFound)
}
