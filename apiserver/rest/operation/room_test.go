package operation_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// watched has the index see what is created, as the informers do.
type watched struct {
	client.Client
	api *operationtest.API
}

func (w watched) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	if err := w.Client.Create(ctx, o, opts...); err != nil {
		return err
	}
	handlers := w.api.Index.Handlers()
	switch o := o.(type) {
	case *v1alpha1.Site:
		handlers.Sites.OnAdd(o.DeepCopy(), false)
	case *v1alpha1.EventSubscription:
		seen := index.SubscriptionMetadata()
		seen.ObjectMeta = *o.ObjectMeta.DeepCopy()
		handlers.Subscriptions.OnAdd(seen, false)
	case *v1alpha1.Brief:
		w.api.IndexedBrief(o)
	case *v1alpha1.Article:
		w.api.Indexed(o)
	}
	return nil
}

// lockedClients is a registry that may be used from any goroutine, and that has seen what it has registered.
type lockedClients struct {
	oauthclient.Clients
	mu   sync.Mutex
	made map[string]bool
}

func (l *lockedClients) Store(ctx context.Context, c *v1alpha1.OAuthClient) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made[c.Name] = true
	return l.Clients.Store(ctx, c)
}

func (l *lockedClients) count(context.Context, string) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(len(l.made)), nil
}

func (l *lockedClients) counts(_ context.Context, name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.made[name]
}

func newWatched(t *testing.T) *operationtest.API {
	t.Helper()
	api := operationtest.NewAlone(t)
	api.Deps.Client = watched{api.Objects, api}
	clients := &lockedClients{Clients: api.Deps.OAuth.Clients, made: map[string]bool{}}
	api.Deps.OAuth.Clients, api.Deps.OAuth.Count, api.Deps.OAuth.Counts = clients, clients.count, clients.counts
	return api
}

func TestLimitsHoldForRequestsAtTheSameTime(t *testing.T) {
	const most, atOnce = 3, 40
	for limit, tt := range map[string]struct {
		set  func(*v1alpha1.AccountLimits)
		path string
		body func(n int) string
		key  string
		// keyed requests have an Idempotency-Key each.
		keyed bool
	}{
		"apiKeys": {
			set: func(l *v1alpha1.AccountLimits) { l.APIKeys = new(int32(most)) }, path: "/v1/api/keys", key: operationtest.ManagerKey,
			body: func(n int) string { return fmt.Sprintf(`{"name":"key %d","scopes":["read"]}`, n) },
		},
		"oauthClients": {
			set: func(l *v1alpha1.AccountLimits) { l.OAuthClients = new(int32(most)) }, path: operationtest.ClientsPath,
			body: func(int) string { return operationtest.ClientBody },
		},
		"sites": {
			// There is one.
			set: func(l *v1alpha1.AccountLimits) { l.Sites = new(int32(most + 1)) }, path: "/v1/api/sites", key: operationtest.ManagerKey,
			body: func(n int) string { return fmt.Sprintf(`{"domain":"s%d.acme.example","cms_type":"none"}`, n) },
		},
		"eventSubscriptions": {
			set: func(l *v1alpha1.AccountLimits) { l.EventSubscriptions = new(int32(most)) }, path: "/v1/api/event-subscriptions",
			body: func(int) string { return `{"url":"https://example.com/","events":["*"]}` },
		},
		"briefs": {
			set: func(l *v1alpha1.AccountLimits) { l.Briefs = new(int32(most)) }, path: "/v1/api/briefs",
			body: func(int) string { return `{"instructions":"For beginners."}` },
		},
		"articles": {
			set: func(l *v1alpha1.AccountLimits) { l.Articles = new(int32(most)) }, path: "/v1/api/blogs",
			body: func(int) string { return operationtest.Written("a") },
		},
		"unpublishedArticles": {
			set: func(l *v1alpha1.AccountLimits) { l.UnpublishedArticles = new(int32(most)) }, path: "/v1/api/generate",
			body: func(int) string { return operationtest.GenerateBody(nil) },
		},
		"idempotencyRecords": {
			set: func(l *v1alpha1.AccountLimits) { l.IdempotencyRecords = new(int32(most)) }, path: "/v1/api/blogs", keyed: true,
			body: func(int) string { return operationtest.Written("a") },
		},
	} {
		t.Run(limit, func(t *testing.T) {
			api := newWatched(t)
			tt.set(&api.Account.Spec.Limits)
			var mu sync.Mutex
			answers := map[int]int{}
			var all sync.WaitGroup
			for n := range atOnce {
				all.Go(func() {
					r := operationtest.Request{Method: "POST", Path: tt.path, Body: tt.body(n), Key: tt.key}
					if tt.keyed {
						r.Header = map[string]string{"Idempotency-Key": strconv.Itoa(n)}
					}
					got := api.Do(r)
					mu.Lock()
					defer mu.Unlock()
					answers[got.Status]++
				})
			}
			all.Wait()
			if made := answers[http.StatusCreated] + answers[http.StatusAccepted]; made != most || answers[http.StatusConflict] != atOnce-most {
				t.Errorf("answered %v, want that %d are created and the others refused", answers, most)
			}
		})
	}
}
