package index_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Admission refuses names in the form of a derived uid, but for those who restore objects. A name never takes the uid of another object.
func TestAnArticleNamedLikeAUIDNeverTakesIt(t *testing.T) {
	original := article("w", 1, "s", published)
	uid := identity.UID(identity.KindArticle, "w", original.Name)
	impostor := article("w", 2, "s", review)
	impostor.Name = uid
	for name, order := range map[string][]*v1alpha1.Article{"named last": {original, impostor}, "named first": {impostor, original}} {
		t.Run(name, func(t *testing.T) {
			x, _ := newIndex()
			h := x.Handlers().Articles
			wantName := func(when, want string) {
				t.Helper()
				if got, ok := x.Get("w", uid); !ok || got.Object.Name != want {
					t.Errorf("%s: the uid is that of %+v, want that of %s", when, got.Object, want)
				}
			}
			for _, a := range order {
				h.OnAdd(a, false)
			}
			wantName("at first", original.Name)
			h.OnUpdate(nil, next(impostor, func(a *v1alpha1.Article) { a.Status.Phase = published }))
			wantName("after an update of the other", original.Name)
			h.OnUpdate(nil, next(original, func(*v1alpha1.Article) {}))
			wantName("after an update of its own", original.Name)
			h.OnDelete(impostor)
			wantName("after the other is deleted", original.Name)
			h.OnAdd(impostor, false)
			h.OnDelete(original)
			wantName("after it is deleted itself", uid)
		})
	}
}

func TestASiteNamedLikeAUIDNeverTakesIt(t *testing.T) {
	uid := identity.UID(identity.KindSite, "w", "original")
	original, impostor := site("w", "original", time.Minute), site("w", uid, time.Hour)
	for _, order := range [][]*v1alpha1.Site{{original, impostor}, {impostor, original}} {
		x, _ := newIndex()
		for _, s := range order {
			x.Handlers().Sites.OnAdd(s, false)
		}
		if got, ok := x.Site("w", uid); !ok || got.Object.Name != "original" {
			t.Errorf("the uid is that of %+v", got)
		}
		x.Handlers().Sites.OnDelete(original)
		if got, ok := x.Site("w", uid); !ok || got.Object.Name != uid {
			t.Errorf("the site with the name is not found")
		}
	}
}

func TestANameThatIsNoUUIDIsNoUID(t *testing.T) {
	x, _ := newIndex()
	x.Handlers().Articles.OnAdd(article("w", 1, "s", review), false)
	if _, ok := x.Get("w", "a000001"); ok {
		t.Error("Get finds an article by its name")
	}
}

// Anyone who names articles with kubectl can choose a UUIDv7 that gives the _id of another article.
func TestARepeatedRecordIDHidesNobody(t *testing.T) {
	first, second := article("w", 1, "s", published), article("w", 2, "s", published)
	first.Name, second.Name = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2", "0198f0a1-b2c3-7aaa-8aaa-a7b8c9d0e1f2"
	second.CreationTimestamp = metav1.NewTime(first.CreationTimestamp.Add(time.Second))
	for _, a := range []*v1alpha1.Article{first, second} {
		publishedAt(a, start)
	}
	for _, order := range [][]*v1alpha1.Article{{first, second}, {second, first}} {
		x, _ := newIndex()
		for _, a := range order {
			x.Handlers().Articles.OnAdd(a, false)
		}
		lists := func() map[string][]index.Article {
			all, _ := x.List("w", index.Query{OldestFirst: true}, "", 10)
			return map[string][]index.Article{
				"List": all, "Published": x.Published("w", index.Query{}, start, "", 10).Articles,
				"Changed": x.Changed("w", "", start, "", 10).Articles, "Between": x.Between("w", "", start, start.Add(day), "", 10).Articles,
			}
		}
		for name, items := range lists() {
			wantStrings(t, name, names(items), []string{first.Name, second.Name})
		}
		for _, a := range order {
			if _, ok := x.Get("w", a.Name); !ok {
				t.Errorf("%s is not found by its uid", a.Name)
			}
		}
		x.Handlers().Articles.OnDelete(order[0])
		for name, items := range lists() {
			wantStrings(t, name+" after one is deleted", names(items), []string{order[1].Name})
		}
		if got := x.Count("w", "").All; got != 1 {
			t.Errorf("%d articles are counted, want 1", got)
		}
	}
}
