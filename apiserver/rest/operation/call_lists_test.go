package operation_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// lists are those of a kube-apiserver that takes its time. Each has another page.
type lists struct {
	client.Client
	began chan string
	end   chan struct{}
	read  atomic.Int32
}

func (l *lists) List(ctx context.Context, list client.ObjectList, options ...client.ListOption) error {
	l.read.Add(1)
	selected := (&client.ListOptions{}).ApplyOptions(options)
	if l.began != nil {
		l.began <- selected.Namespace
		select {
		case <-l.end:
		case <-ctx.Done():
		}
	}
	if selected.Limit > 0 {
		list.SetContinue("more")
	}
	return nil
}

// All tenants share one queue of kube-apiserver. An account has two lists read at the same time, whatever it asks for.
func TestAnAccountHasTwoListsReadAtTheSameTime(t *testing.T) {
	for name, path := range map[string]string{
		"records": "/v1/api/records", "event subscriptions": "/v1/api/event-subscriptions",
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.NewAlone(t)
			slow := &lists{Client: api.Objects, began: make(chan string), end: make(chan struct{})}
			api.Deps.Client = slow
			answers := make(chan testkit.Answer)
			ask := func(key, workspace string) {
				r := operationtest.Request{Path: path, Key: key, Workspace: workspace}
				go func() { answers <- api.Do(r) }()
			}
			for range 3 {
				ask(operationtest.RightKey, operationtest.Workspace)
			}
			<-slow.began
			<-slow.began
			ask("rivals", operationtest.OtherWorkspace)
			if workspace := <-slow.began; workspace != operationtest.OtherWorkspace {
				t.Fatalf("a third list of %s is read, and another account waits", workspace)
			}
			slow.end <- struct{}{}
			slow.end <- struct{}{}
			go func() {
				for range slow.began {
					slow.end <- struct{}{}
				}
			}()
			slow.end <- struct{}{}
			for range 4 {
				if got := <-answers; got.Status != http.StatusOK {
					t.Errorf("got %d: %s", got.Status, got.Raw)
				}
			}
			close(slow.began)
		})
	}
}

// A filter that chooses nothing has ten pages read, each of which costs as much as a request.
func TestEachFurtherPageOfAListCountsAsARequest(t *testing.T) {
	api := operationtest.NewAlone(t)
	endless := &lists{Client: api.Objects}
	api.Deps.Client = endless
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 4}
	got := api.Do(operationtest.Request{Path: "/v1/api/records?limit=100"})
	if got.Status != http.StatusOK || !strings.Contains(got.Raw, `"nextCursor":"more","hasMore":true`) {
		t.Errorf("got %d: %s, want what was read so far", got.Status, got.Raw)
	}
	if read := endless.read.Load(); read != 4 {
		t.Errorf("%d pages were read with 4 requests", read)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/records"}), http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
}
