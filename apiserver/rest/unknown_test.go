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
	w := newWorldAlone(t)
	ask := request{path: "/v1/api/blogs/" + anyUID}
	for range 10 {
		wantFailure(t, w.do(ask), http.StatusNotFound, problem.CodeNotFound)
	}
	if w.objects.reads != 1 {
		t.Errorf("kube-apiserver was asked %d times, want once", w.objects.reads)
	}
	// Another replica creates the article.
	a := w.article(nil)
	a.Name = anyUID
	w.objects.articles[client.ObjectKeyFromObject(a)] = a
	w.clock.Step(3 * time.Second)
	if got := w.do(ask); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestTheLookUpsOfUnknownUIDsHaveABoundForEachAccount(t *testing.T) {
	w := newWorldAlone(t)
	throttled := 0
	for i := range 400 {
		r := request{path: fmt.Sprintf("/v1/api/blogs/0198f0a1-0000-7000-8000-%012d", i), key: fmt.Sprint("minted-", i%10)}
		if i%2 == 0 {
			r.method = http.MethodDelete
		}
		if got := w.do(r); got.Status == http.StatusTooManyRequests {
			throttled++
		}
	}
	if w.objects.reads > 100 || throttled < 300 {
		t.Errorf("kube-apiserver was asked %d times, and %d were throttled", w.objects.reads, throttled)
	}
	known := w.article(nil)
	if got := w.do(request{path: "/v1/api/blogs/" + known.Name}); got.Status != http.StatusOK {
		t.Errorf("an article that the index has: got %d: %s", got.Status, got.Raw)
	}
	wantFailure(t, w.do(request{path: "/v1/api/blogs/" + anyUID, key: "rivals", workspace: otherWorkspace}), http.StatusNotFound, problem.CodeNotFound)
}
