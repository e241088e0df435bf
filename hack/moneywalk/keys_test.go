package moneywalk_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// TestWhatWasMadeWithAKeyFallsWithItInEveryHistory makes as many histories as TestMoneyIsExactInEveryHistory: keys that make keys,
// subscriptions and apps over three replicas, and are revoked meanwhile.
func TestWhatWasMadeWithAKeyFallsWithItInEveryHistory(t *testing.T) {
	histories, seed, first := number(t, "PRESSROOM_WALKS", defaultHistories), number(t, "PRESSROOM_WALK_SEED", 1), number(t, "PRESSROOM_WALK_FIRST", 0)
	fleet, total := newFleet(t), map[string]int{}
	for n := first; n < first+histories; n++ {
		synctest.Test(t, func(t *testing.T) {
			w := newKeyWalk(t, fleet, uint64(seed), uint64(n))
			defer w.end()
			if act(w.walk, w, keyActions, w.rest) {
				w.settle()
			}
			for what, times := range w.counts {
				total[what] += times
			}
		})
	}
	t.Logf("%d histories: %v", histories, total)
}

// keyWalk is one history.
type keyWalk struct {
	*walk
	// secrets of the keys that somebody has, by id, and the ids in their order.
	secrets map[string]string
	ids     []string
	// byPeople means that a person deletes something.
	byPeople bool
}

func newKeyWalk(t *testing.T, f *fleet, seed, n uint64) *keyWalk {
	t.Helper()
	w := &keyWalk{walk: newWalk(t, f, seed, n, ofKeys), secrets: map[string]string{}}
	w.newsLag = true
	w.store.wrote = w.wrote
	for range 3 {
		c, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
		w.must(err)
		w.must(w.store.create(&v1alpha1.APIKey{ObjectMeta: metav1.ObjectMeta{Name: c.ID}, Spec: v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: account}, SecretHash: c.Hash(),
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeManage},
		}}))
		w.know(c.ID, c.Reveal())
	}
	return w
}

var keyActions = []action[*keyWalk]{
	{"request goes on", 120, func(w *keyWalk) { w.letGo(proceed) }},
	{"a key makes a key", 14, func(w *keyWalk) {
		w.with(w.anyKey(), http.MethodPost, "/v1/api/keys", `{"name": "another", "scopes": ["read", "write", "manage"]}`)
	}},
	{"a key subscribes", 8, func(w *keyWalk) {
		w.with(w.anyKey(), http.MethodPost, "/v1/api/event-subscriptions", `{"url": "https://example.com/", "events": ["*"]}`)
	}},
	{"a key registers an app", 6, func(w *keyWalk) {
		w.with(w.anyKey(), http.MethodPost, "/v1/api/oauth/clients", `{"name": "app", "redirect_uris": ["https://example.com/"]}`)
	}},
	{"a key revokes a key", 3, func(w *keyWalk) { w.with(w.anyKey(), http.MethodDelete, "/v1/api/keys/"+w.anyKey(), "") }},
	{"kubectl revokes a key", 3, func(w *keyWalk) {
		w.byPeople = true
		_ = w.store.delete(&v1alpha1.APIKey{ObjectMeta: metav1.ObjectMeta{Name: w.anyKey()}})
		w.byPeople = false
	}},
	{"reconcile", 40, func(w *keyWalk) {
		if made := w.made(); len(made) > 0 {
			w.reconcileMade(made[w.random.IntN(len(made))])
		}
	}},
	{"replica killed", 2, func(w *keyWalk) { w.restartReplica(w.random.IntN(replicas)) }},
	{"controller killed", 2, func(w *keyWalk) { w.restartController() }},
	{"replica's cache catches up", 3, func(w *keyWalk) { w.refresh(w.random.IntN(replicas)) }},
	{"moments pass", 15, func(w *keyWalk) { w.pass(time.Duration(w.random.IntN(1000)) * time.Millisecond) }},
}

func (w *keyWalk) know(id, secret string) {
	w.secrets[id], w.ids = secret, append(w.ids, id)
}

func (w *keyWalk) anyKey() string { return w.ids[w.random.IntN(len(w.ids))] }

// made returns the keys, apps and subscriptions that exist, in the order in which they were made: their names are random.
func (w *keyWalk) made() []client.Object {
	kept := slices.Collect(maps.Values(w.store.objects))
	kept = slices.DeleteFunc(kept, func(o client.Object) bool {
		_, known := makerOf(o)
		return !known
	})
	slices.SortFunc(kept, func(a, b client.Object) int { return strings.Compare(string(a.GetUID()), string(b.GetUID())) })
	return kept
}

// makerOf returns the key that an object was made with, and false for kinds that no key makes.
func makerOf(o client.Object) (string, bool) {
	switch o := o.(type) {
	case *v1alpha1.APIKey:
		return o.Spec.CreatedByRef.APIKey(), true
	case *v1alpha1.OAuthClient:
		return o.Spec.CreatedByRef.APIKey(), true
	case *v1alpha1.EventSubscription:
		return o.Spec.CreatedByRef.APIKey(), true
	}
	return "", false
}

// stands reports whether the key that something was made with exists, and so on.
func (w *keyWalk) stands(o client.Object) bool {
	maker, _ := makerOf(o)
	if maker == "" {
		return true
	}
	key := &v1alpha1.APIKey{}
	return w.store.get(client.ObjectKey{Name: maker}, key) == nil && w.stands(key)
}

// wrote checks that what a key makes names it, and that the controller deletes nothing that stands.
func (w *keyWalk) wrote(old, now client.Object) {
	if maker, known := makerOf(now); old == nil && known && w.writer != nil && maker == "" {
		w.failf("%T %s does not name the key that it was made with", now, now.GetName())
	}
	if _, known := makerOf(old); old == nil || now != nil || !known || w.byPeople || w.writer != nil && w.writer.direct {
		return
	}
	w.counts["fell"]++
	if maker, _ := makerOf(old); maker == "" || w.store.get(client.ObjectKey{Name: maker}, &v1alpha1.APIKey{}) == nil {
		w.failf("the controller deletes %T %s, which was made with %q", old, old.GetName(), maker)
	}
}

func (w *keyWalk) reconcileMade(o client.Object) {
	p, ctx, key := w.controller, w.running, client.ObjectKeyFromObject(o)
	var by reconcile.Reconciler
	switch o.(type) {
	case *v1alpha1.APIKey:
		by = p.APIKeys
	case *v1alpha1.OAuthClient:
		by = p.OAuthClients
	case *v1alpha1.EventSubscription:
		by = p.SubscriptionAccess
	}
	w.spawn(w.store.path(o, key), func() { _, _ = by.Reconcile(ctx, ctrl.Request{NamespacedName: key}) })
}

// with sends a request with a key to a replica.
func (w *keyWalk) with(id, method, path, body string) {
	i := w.random.IntN(replicas)
	v := w.views[i]
	w.spawn(fmt.Sprintf("replica %d", i), func() {
		answer := w.answer(i, id, method, path, body)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.notef("replica %d answered %d %s", i, answer.Code, strings.TrimSpace(answer.Body.String()))
		w.counts[fmt.Sprintf("%s answered %d", path[:min(len(path), 12)], answer.Code)]++
		if v.dead {
			return
		}
		var made struct {
			ID     string `json:"id"`
			Secret string `json:"secret"`
		}
		switch {
		case answer.Code == http.StatusInternalServerError:
			w.failf("an internal error")
		case json.Unmarshal(answer.Body.Bytes(), &made) == nil && answer.Code == http.StatusCreated && path == "/v1/api/keys":
			w.know(made.ID, made.Secret)
		}
	})
}

func (w *keyWalk) answer(i int, id, method, path, body string) *httptest.ResponseRecorder {
	w.mu.Lock()
	q := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(body))
	q.Header.Set("x-api-key", w.secrets[id])
	w.mu.Unlock()
	q.Header.Set("x-workspace-id", workspace)
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	w.fleet.handlers[i].ServeHTTP(answer, q)
	return answer
}

// settle lets the controllers finish, and checks that nothing is left that a revoked key has made.
func (w *keyWalk) settle() {
	w.draining = true
	w.idle()
	w.checkKeys()
	for version := -1; version != w.store.version+len(w.store.objects); {
		version = w.store.version + len(w.store.objects)
		for _, o := range w.made() {
			w.reconcileMade(o)
			w.idle()
		}
	}
	for _, o := range w.made() {
		w.counts["left"]++
		if !w.stands(o) {
			w.failf("%T %s is left, and the key that it was made with is gone", o, o.GetName())
		}
	}
	w.checkKeys()
}

// checkKeys checks that each replica takes the keys that stand and no others, whether the controller has deleted them or not.
func (w *keyWalk) checkKeys() {
	w.pass(time.Minute) // A replica remembers for seconds what is missing.
	for _, id := range w.ids {
		want, key := http.StatusUnauthorized, &v1alpha1.APIKey{}
		if w.store.get(client.ObjectKey{Name: id}, key) == nil && w.stands(key) {
			want = http.StatusOK
		}
		w.counts[fmt.Sprintf("keys that answer %d", want)]++
		for i := range replicas {
			w.spawn(fmt.Sprintf("replica %d", i), func() {
				if answer := w.answer(i, id, http.MethodGet, "/v1/api/blogs", ""); answer.Code != want {
					w.failf("replica %d answers key %s with %d, want %d: %s", i, id, answer.Code, want, answer.Body.String())
				}
			})
		}
		w.idle()
	}
}
