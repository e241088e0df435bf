package rest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

func TestAnUnknownUIDIsLookedUpOnce(t *testing.T) {
	api := newAPIAlone(t)
	ask := request{path: "/v1/api/blogs/" + anyUID}
	for range 10 {
		wantFailure(t, api.do(ask), http.StatusNotFound, problem.CodeNotFound)
	}
	if api.objects.reads != 1 {
		t.Errorf("kube-apiserver was asked %d times, want once", api.objects.reads)
	}
	// Another replica creates the article.
	a := api.article(nil)
	a.Name = anyUID
	api.objects.articles[client.ObjectKeyFromObject(a)] = a
	api.clock.Step(3 * time.Second)
	if got := api.do(ask); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestTheLookUpsOfUnknownUIDsHaveABoundForEachAccount(t *testing.T) {
	api := newAPIAlone(t)
	throttled := 0
	for i := range 400 {
		r := request{path: fmt.Sprintf("/v1/api/blogs/0198f0a1-0000-7000-8000-%012d", i), key: fmt.Sprint("minted-", i%10)}
		if i%2 == 0 {
			r.method = http.MethodDelete
		}
		if got := api.do(r); got.Status == http.StatusTooManyRequests {
			throttled++
		}
	}
	if api.objects.reads > 100 || throttled < 300 {
		t.Errorf("kube-apiserver was asked %d times, and %d were throttled", api.objects.reads, throttled)
	}
	known := api.article(nil)
	if got := api.do(request{path: "/v1/api/blogs/" + known.Name}); got.Status != http.StatusOK {
		t.Errorf("an article that the index has: got %d: %s", got.Status, got.Raw)
	}
	wantFailure(t, api.do(request{path: "/v1/api/blogs/" + anyUID, key: "rivals", workspace: otherWorkspace}), http.StatusNotFound, problem.CodeNotFound)
}
