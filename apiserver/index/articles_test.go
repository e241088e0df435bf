package index_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

func TestAListIsNewestFirstWhateverTheOrderOfEvents(t *testing.T) {
	x, _ := newIndex()
	for _, n := range rand.New(rand.NewPCG(1, 2)).Perm(5) {
		x.Handlers().Articles.OnAdd(article("w", n, "s", review), false)
	}
	x.Handlers().Articles.OnAdd(article("other", 9, "s", review), false)
	items, more := x.List("w", index.Query{}, "", 10)
	wantStrings(t, "List", names(items), []string{"a000004", "a000003", "a000002", "a000001", "a000000"})
	if more {
		t.Error("more = true, want false")
	}
}

func TestACursorHoldsWhenItsArticleIsGoneAndNewOnesCome(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	for n := range 6 {
		h.OnAdd(article("w", n, "s", review), false)
	}
	first, _ := x.List("w", index.Query{}, "", 3)
	h.OnDelete(first[2].Object)
	h.OnAdd(article("w", 7, "s", review), false)
	second, more := x.List("w", index.Query{}, first[2].ID, 3)
	wantStrings(t, "second page", names(second), []string{"a000002", "a000001", "a000000"})
	if more {
		t.Error("more = true, want false")
	}
}

func TestFiltersChooseBySiteAndStatus(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	h.OnAdd(article("w", 1, "one", review), false)
	h.OnAdd(article("w", 2, "two", review), false)
	h.OnAdd(article("w", 3, "one", published), false)
	h.OnAdd(article("w", 4, "two", published), false)
	one := identity.UID(identity.KindSite, "w", "one")
	for name, tt := range map[string]struct {
		filter index.Query
		want   []string
	}{
		"all":             {index.Query{}, []string{"a000004", "a000003", "a000002", "a000001"}},
		"site":            {index.Query{SiteUID: one}, []string{"a000003", "a000001"}},
		"status":          {index.Query{Statuses: []v1alpha1.ArticlePhase{review}}, []string{"a000002", "a000001"}},
		"site and status": {index.Query{SiteUID: one, Statuses: []v1alpha1.ArticlePhase{published}}, []string{"a000003"}},
		"unknown site":    {index.Query{SiteUID: identity.UID(identity.KindSite, "w", "three")}, nil},
		"unused status":   {index.Query{Statuses: []v1alpha1.ArticlePhase{v1alpha1.PhaseFailed}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			items, _ := x.List("w", tt.filter, "", 10)
			wantStrings(t, "List", names(items), tt.want)
		})
	}
}

func TestAChangedPhaseMovesTheArticleBetweenLists(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	a := article("w", 1, "s", review)
	h.OnAdd(a, false)
	h.OnUpdate(a, next(a, func(a *v1alpha1.Article) { a.Status.Phase = published }))
	if items, _ := x.List("w", index.Query{Statuses: []v1alpha1.ArticlePhase{review}}, "", 10); len(items) != 0 {
		t.Errorf("still in review: %v", names(items))
	}
	items, _ := x.List("w", index.Query{Statuses: []v1alpha1.ArticlePhase{published}}, "", 10)
	wantStrings(t, "published", names(items), []string{"a000001"})
}

func TestGetFindsByUIDWithinTheWorkspace(t *testing.T) {
	x, _ := newIndex()
	x.Handlers().Articles.OnAdd(article("w", 1, "s", review), false)
	uid := identity.UID(identity.KindArticle, "w", "a000001")
	got, ok := x.Get("w", uid)
	if !ok || got.UID != uid || got.Phase != review || got.SiteUID != identity.UID(identity.KindSite, "w", "s") ||
		got.ID != identity.RecordID(uid, got.Object.CreationTimestamp.Time) {
		t.Errorf("Get = %+v, %v", got, ok)
	}
	for _, in := range [][2]string{{"other", uid}, {"w", "nothing"}, {"w", identity.UID(identity.KindArticle, "w", "other")}} {
		if _, ok := x.Get(in[0], in[1]); ok {
			t.Errorf("Get(%v) finds something", in)
		}
	}
}

func TestEventsMayComeLateAndTwice(t *testing.T) {
	a := article("w", 1, "s", review)
	b := next(a, func(a *v1alpha1.Article) { a.Status.Phase = published })
	for name, events := range map[string]func(h toolscache.ResourceEventHandler){
		"an older state after a newer one": func(h toolscache.ResourceEventHandler) { h.OnAdd(b, false); h.OnUpdate(nil, a) },
		"everything twice": func(h toolscache.ResourceEventHandler) {
			h.OnAdd(a, true)
			h.OnAdd(a, false)
			h.OnUpdate(a, b)
			h.OnUpdate(b, b)
		},
		"a deletion of an earlier article of the same name": func(h toolscache.ResourceEventHandler) {
			h.OnAdd(b, false)
			earlier := a.DeepCopy()
			earlier.UID = "earlier"
			h.OnDelete(earlier)
		},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := newIndex()
			events(x.Handlers().Articles)
			items, _ := x.List("w", index.Query{}, "", 10)
			if len(items) != 1 || items[0].Phase != published {
				t.Errorf("List = %v, want the newer state once", items)
			}
			if items, _ := x.List("w", index.Query{Statuses: []v1alpha1.ArticlePhase{review}}, "", 10); len(items) != 0 {
				t.Errorf("the older state is still listed")
			}
		})
	}
}

func TestWhatIsDeletedIsInNoList(t *testing.T) {
	a := article("w", 1, "s", review)
	for name, events := range map[string]func(h toolscache.ResourceEventHandler){
		"deleted": func(h toolscache.ResourceEventHandler) { h.OnDelete(a) },
		"twice":   func(h toolscache.ResourceEventHandler) { h.OnDelete(a); h.OnDelete(a) },
		"unseen": func(h toolscache.ResourceEventHandler) {
			h.OnDelete(toolscache.DeletedFinalStateUnknown{Key: "w/a000001", Obj: a})
		},
		"being deleted": func(h toolscache.ResourceEventHandler) {
			h.OnUpdate(a, next(a, func(a *v1alpha1.Article) { a.DeletionTimestamp = &metav1.Time{Time: start} }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := newIndex()
			x.Handlers().Articles.OnAdd(a, false)
			events(x.Handlers().Articles)
			for _, f := range []index.Query{{}, {Statuses: []v1alpha1.ArticlePhase{review}}, {SiteUID: identity.UID(identity.KindSite, "w", "s")}} {
				if items, _ := x.List("w", f, "", 10); len(items) != 0 {
					t.Errorf("List(%v) = %v", f, names(items))
				}
			}
			if _, ok := x.Get("w", identity.UID(identity.KindArticle, "w", a.Name)); ok {
				t.Error("Get finds it")
			}
		})
	}
}

func TestAScheduledArticleIsApprovedOnceItsTimeHasCome(t *testing.T) {
	x, clock := newIndex()
	h := x.Handlers().Articles
	for n := range 3 {
		a := article("w", n, "s", scheduled)
		a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(time.Duration(n+1) * time.Minute)}
		h.OnAdd(a, false)
	}
	for minute, tt := range []struct{ wantScheduled, wantApproved []string }{
		{[]string{"a000002", "a000001", "a000000"}, nil},
		{[]string{"a000002", "a000001"}, []string{"a000000"}},
		{[]string{"a000002"}, []string{"a000001", "a000000"}},
		{nil, []string{"a000002", "a000001", "a000000"}},
	} {
		clock.SetTime(start.Add(time.Duration(minute) * time.Minute))
		got, _ := x.List("w", index.Query{Statuses: []v1alpha1.ArticlePhase{scheduled}}, "", 10)
		wantStrings(t, fmt.Sprintf("scheduled after %d minutes", minute), names(got), tt.wantScheduled)
		got, _ = x.List("w", index.Query{Statuses: []v1alpha1.ArticlePhase{approved}}, "", 10)
		wantStrings(t, fmt.Sprintf("approved after %d minutes", minute), names(got), tt.wantApproved)
	}
	if a, _ := x.Get("w", identity.UID(identity.KindArticle, "w", "a000001")); a.Phase != approved {
		t.Errorf("Get says %s, want Approved", a.Phase)
	}
}

func TestAScheduleThatIsGoneNoLongerMovesTheArticle(t *testing.T) {
	x, clock := newIndex()
	h := x.Handlers().Articles
	a := article("w", 1, "s", scheduled)
	a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(time.Minute)}
	h.OnAdd(a, false)
	h.OnUpdate(a, next(a, func(a *v1alpha1.Article) { a.Status.Phase = v1alpha1.PhaseDraft }))
	h.OnAdd(next(article("w", 2, "s", scheduled), func(a *v1alpha1.Article) {
		a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(time.Minute)}
	}), false)
	h.OnDelete(article("w", 2, "s", scheduled))
	clock.SetTime(start.Add(time.Hour))
	items, _ := x.List("w", index.Query{}, "", 10)
	if len(items) != 1 || items[0].Phase != v1alpha1.PhaseDraft {
		t.Errorf("List = %+v, want the draft alone", items)
	}
}
