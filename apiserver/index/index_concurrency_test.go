package index_test

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Lists are read while events come in; the race detector watches, and every list must be right in itself.
func TestListsAreRightWhileEventsComeIn(t *testing.T) {
	x, clock := newIndex()
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range 2 {
		writers.Go(func() { churn(x, w) })
	}
	writers.Go(func() {
		for i := range 300 {
			clock.SetTime(start.Add(time.Duration(i) * time.Second))
			x.Handlers().Namespaces.OnUpdate(nil, namespace("w", []string{"acme", "other", ""}[i%3], strconv.Itoa(i+1)))
			x.Handlers().Sites.OnAdd(site("w", "s", time.Hour), false)
		}
	})
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					checkList(t, x)
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if items, _ := x.List("w", index.Query{}, "", 1000); len(items) != 200 {
		t.Errorf("%d articles at the end, want 200", len(items))
	}
}

// churn makes 200 articles, changes them all and deletes every other one.
func churn(x *index.Index, w int) {
	h := x.Handlers().Articles
	for i := range 200 {
		a := article("w", w*1000+i, "s", review)
		h.OnAdd(a, false)
		b := next(a, func(a *v1alpha1.Article) {
			a.Status.Phase = scheduled
			a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(time.Duration(i) * time.Second)}
		})
		h.OnUpdate(a, b)
		if i%2 == 0 {
			h.OnDelete(b)
		}
	}
}

func checkList(t *testing.T, x *index.Index) {
	t.Helper()
	for _, phase := range []v1alpha1.ArticlePhase{"", review, scheduled, approved} {
		items, _ := x.List("w", index.Query{Statuses: []v1alpha1.ArticlePhase{phase}}, "", 50)
		if !slices.IsSortedFunc(items, func(a, b index.Article) int { return strings.Compare(b.ID, a.ID) }) {
			t.Errorf("a list is out of order")
		}
		for _, i := range items {
			if phase != "" && i.Phase != phase {
				t.Errorf("a list of %s holds one in %s", phase, i.Phase)
			}
		}
	}
	for _, s := range x.Sites("acme", nil) {
		if _, ok := x.Site("w", identity.UID(identity.KindSite, "w", s.Object.Name)); !ok {
			t.Errorf("a listed site is not found")
		}
	}
}
