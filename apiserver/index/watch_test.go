package index_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// pending receives all signals that wait.
func pending(changed <-chan struct{}) int {
	n := 0
	for {
		select {
		case <-changed:
			n++
		default:
			return n
		}
	}
}

func TestAWatchHearsOfEachKindOfChangeOfItsWorkspace(t *testing.T) {
	x, _ := newIndex()
	changed, stop := x.Watch("w")
	defer stop()
	a, s := article("w", 1, "s", review), site("w", "s", 0)
	subscription := index.SubscriptionMetadata()
	subscription.Namespace, subscription.Name = "w", "sub"
	for _, tt := range []struct {
		name   string
		change func()
	}{
		{"an article", func() { x.Handlers().Articles.OnAdd(a, false) }},
		{"its change", func() {
			x.Handlers().Articles.OnUpdate(a, next(a, func(a *v1alpha1.Article) { a.Status.Phase = published }))
		}},
		{"its end", func() { x.Handlers().Articles.OnDelete(a) }},
		{"a site", func() { x.Handlers().Sites.OnAdd(s, false) }},
		{"a site's end", func() { x.Handlers().Sites.OnDelete(s) }},
		{"a subscription", func() { x.Handlers().Subscriptions.OnAdd(subscription, false) }},
		{"the namespace", func() { x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), false) }},
		{"another owner", func() { x.Handlers().Namespaces.OnUpdate(nil, namespace("w", "other", "2")) }},
	} {
		tt.change()
		if n := pending(changed); n != 1 {
			t.Errorf("%s: %d signals, want 1", tt.name, n)
		}
	}
	x.Handlers().Articles.OnAdd(article("other", 2, "s", review), false)
	if n := pending(changed); n != 0 {
		t.Errorf("%d signals for another workspace", n)
	}
}

func TestThatSomebodyWasSeenAgainInAnEditorIsNoSignal(t *testing.T) {
	x, _ := newIndex()
	seen := func(at time.Time, name string) func(*v1alpha1.Article) {
		return func(a *v1alpha1.Article) {
			a.Annotations = map[string]string{v1alpha1.EditorAnnotation + name: at.Format(time.RFC3339) + " " + name}
		}
	}
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	a := article("w", 1, "s", review)
	x.Handlers().Articles.OnAdd(a, false)
	changed, stop := x.Watch("w")
	defer stop()
	for _, tt := range []struct {
		name   string
		change func(*v1alpha1.Article)
		want   int
	}{
		{"somebody comes", seen(at, "mara"), 1},
		{"and is seen again", seen(at.Add(time.Minute), "mara"), 0},
		{"and saves", func(a *v1alpha1.Article) { a.Status.Phase = published }, 1},
		{"another comes", seen(at.Add(time.Minute), "petra"), 1},
		{"all leave", func(a *v1alpha1.Article) { a.Annotations = nil }, 1},
	} {
		before := a
		a = next(a, tt.change)
		x.Handlers().Articles.OnUpdate(before, a)
		if n := pending(changed); n != tt.want {
			t.Errorf("%s: %d signals, want %d", tt.name, n, tt.want)
		}
		got, ok := x.Get("w", identity.UID(identity.KindArticle, "w", a.Name))
		if !ok || got.Object.ResourceVersion != a.ResourceVersion {
			t.Errorf("%s: the index has another state", tt.name)
		}
	}
}

func TestChangesThatNobodyReceivesAreOneSignalAndDelayNothing(t *testing.T) {
	x, _ := newIndex()
	slow, stopSlow := x.Watch("w")
	defer stopSlow()
	other, stopOther := x.Watch("w")
	for n := range 100 {
		// Were this to wait for a receiver, it would wait forever.
		x.Handlers().Articles.OnAdd(article("w", n, "s", review), false)
	}
	if items, _ := x.List("w", index.Query{}, "", 100); len(items) != 100 {
		t.Errorf("%d articles, want 100", len(items))
	}
	if a, b := pending(slow), pending(other); a != 1 || b != 1 {
		t.Errorf("%d and %d signals, want one each", a, b)
	}
	stopOther()
	x.Handlers().Articles.OnAdd(article("w", 200, "s", review), false)
	if a, b := pending(slow), pending(other); a != 1 || b != 0 {
		t.Errorf("%d and %d signals, want 1 and, after stop, 0", a, b)
	}
}

// wantEndsWith fails unless a wait goes on until the index has the write.
func wantEndsWith(t *testing.T, await, write func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		await()
		close(done)
	}()
	synctest.Wait()
	select {
	case <-done:
		t.Fatal("it ends before the index has the write")
	default:
	}
	write()
	<-done
}

func TestAwaitingAWriteEndsWhenTheIndexHasIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := newIndex()
		a := article("w", 1, "s", review)
		x.Handlers().Articles.OnAdd(a, false)
		written := next(a, func(a *v1alpha1.Article) { a.Status.Phase = published })
		uid := uidOf(a)
		wantEndsWith(t,
			func() { x.Await(t.Context(), "w", uid, written.ResourceVersion, anyState) },
			func() { x.Handlers().Articles.OnUpdate(a, written) })

		x.Await(t.Context(), "w", uid, a.ResourceVersion, anyState)
		x.Await(t.Context(), "w", "unknown", "999", anyState)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		x.Await(ctx, "w", uid, next(written, func(*v1alpha1.Article) {}).ResourceVersion, anyState)
		if ctx.Err() == nil {
			t.Error("it ends before the time is over")
		}
	})
}

func TestAwaitingANewArticleEndsWhenTheIndexHasIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := newIndex()
		a := article("w", 1, "s", review)
		wantEndsWith(t,
			func() { x.AwaitNew(t.Context(), "w", uidOf(a)) },
			func() { x.Handlers().Articles.OnAdd(a, false) })
		x.AwaitNew(t.Context(), "w", uidOf(a))
	})
}

func TestAwaitingAWriteOfASiteEndsWhenTheIndexHasIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := newIndex()
		s := site("w", "s", 0)
		s.ResourceVersion = "5"
		x.Handlers().Sites.OnAdd(s, false)
		written := s.DeepCopy()
		written.ResourceVersion = "6"
		uid := identity.UID(identity.KindSite, "w", "s")
		wantEndsWith(t,
			func() { x.AwaitSite(t.Context(), "w", uid, "6") },
			func() { x.Handlers().Sites.OnUpdate(s, written) })
		x.AwaitSite(t.Context(), "w", "unknown", "999")
	})
}

func anyState(*v1alpha1.Article) bool { return true }

func TestAwaitingWhatFollowsFromAWriteEndsWhenItHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := newIndex()
		a := article("w", 1, "s", review)
		x.Handlers().Articles.OnAdd(a, false)
		seen := func(a *v1alpha1.Article) bool { return a.Status.ObservedGeneration == 2 }
		done := make(chan struct{})
		go func() {
			x.Await(t.Context(), "w", uidOf(a), a.ResourceVersion, seen)
			close(done)
		}()
		written := next(a, func(a *v1alpha1.Article) { a.Generation = 2 })
		x.Handlers().Articles.OnUpdate(a, written)
		synctest.Wait()
		select {
		case <-done:
			t.Fatal("it ends before the condition holds")
		default:
		}
		x.Handlers().Articles.OnUpdate(written, next(written, func(a *v1alpha1.Article) { a.Status.ObservedGeneration = 2 }))
		<-done
	})
}

func uidOf(a *v1alpha1.Article) string {
	return identity.UID(identity.KindArticle, a.Namespace, a.Name)
}
