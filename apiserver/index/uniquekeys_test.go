package index_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

func listedIn(x *index.Index) []string {
	all, _ := x.List("w", index.Query{}, "", 100)
	names := []string{}
	for _, a := range all {
		names = append(names, a.Object.Name)
	}
	return names
}

// Anyone who may create articles with kubectl chooses their names, and so could choose the uid of a published article of somebody else.
func TestAnArticleNamedLikeAUIDNeverTakesIt(t *testing.T) {
	original := article("w", 1, "s", published)
	uid := identity.UID(identity.KindArticle, "w", original.Name)
	impostor := article("w", 2, "s", review)
	impostor.Name = uid
	for name, order := range map[string][]*v1alpha1.Article{"named last": {original, impostor}, "named first": {impostor, original}} {
		t.Run(name, func(t *testing.T) {
			x, _ := newIndex()
			for _, a := range order {
				x.Handlers().Articles.OnAdd(a, false)
			}
			wantOriginal := func(when string) {
				t.Helper()
				if got, ok := x.Get("w", uid); !ok || got.Object.Name != original.Name {
					t.Errorf("%s: the uid is that of %s", when, got.Object.Name)
				}
				if got := listedIn(x); !slices.Equal(got, []string{original.Name}) {
					t.Errorf("%s: listed %v", when, got)
				}
			}
			wantOriginal("at first")
			x.Handlers().Articles.OnUpdate(nil, next(impostor, func(a *v1alpha1.Article) { a.Status.Phase = published }))
			wantOriginal("after an update of the other")
			x.Handlers().Articles.OnUpdate(nil, next(original, func(*v1alpha1.Article) {}))
			wantOriginal("after an update of its own")
			x.Handlers().Articles.OnDelete(impostor)
			wantOriginal("after the other is deleted")

			x.Handlers().Articles.OnAdd(impostor, false)
			x.Handlers().Articles.OnDelete(original)
			if got, ok := x.Get("w", uid); !ok || got.Object.Name != uid || !slices.Equal(listedIn(x), []string{uid}) {
				t.Errorf("the article that has waited is not listed: %v, %v", ok, listedIn(x))
			}
		})
	}
}

func TestARepeatedRecordIDHidesNobodyForGood(t *testing.T) {
	at := metav1.NewTime(start.Add(-time.Hour))
	first, second := article("w", 1, "s", review), article("w", 2, "s", review)
	first.Name, second.Name = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2", "0198f0a1-b2c3-7aaa-8aaa-a7b8c9d0e1f2"
	first.CreationTimestamp, second.CreationTimestamp = at, metav1.NewTime(at.Add(time.Second))
	for _, order := range [][]*v1alpha1.Article{{first, second}, {second, first}} {
		x, _ := newIndex()
		for _, a := range order {
			x.Handlers().Articles.OnAdd(a, false)
		}
		if got := listedIn(x); !slices.Equal(got, []string{first.Name}) {
			t.Errorf("listed %v, want the one that came first", got)
		}
		for _, a := range order {
			if _, ok := x.Get("w", a.Name); !ok {
				t.Errorf("%s is not found by its uid", a.Name)
			}
		}
		x.Handlers().Articles.OnDelete(first)
		if got := listedIn(x); !slices.Equal(got, []string{second.Name}) {
			t.Errorf("listed %v after the first is gone", got)
		}
	}
}

func TestASiteNamedLikeAUIDNeverTakesIt(t *testing.T) {
	uid := identity.UID(identity.KindSite, "w", "original")
	original, impostor := site("w", "original", time.Minute), site("w", uid, time.Hour)
	for _, order := range [][]*v1alpha1.Site{{original, impostor}, {impostor, original}} {
		x, _ := newIndex()
		x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), false)
		for _, s := range order {
			x.Handlers().Sites.OnAdd(s, false)
		}
		if got, ok := x.Site("w", uid); !ok || got.Object.Name != "original" || len(x.Sites("acme", nil)) != 1 {
			t.Errorf("the uid is that of %+v, %d are listed", got, len(x.Sites("acme", nil)))
		}
		x.Handlers().Sites.OnDelete(original)
		if got, ok := x.Site("w", uid); !ok || got.Object.Name != uid || len(x.Sites("acme", nil)) != 1 {
			t.Errorf("the article that has waited is not listed")
		}
	}
}

// Whatever comes and goes in whatever order, every replica ends with the same lists.
func TestCollisionsEndTheSameInEveryOrder(t *testing.T) {
	names := []string{"a000001", "a000002", "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2", "0198f0a1-b2c3-7aaa-8aaa-a7b8c9d0e1f2", "0198f0a1-b2c3-7bbb-8bbb-a7b8c9d0e1f2"}
	for _, name := range names[:2] {
		names = append(names, identity.UID(identity.KindArticle, "w", name))
	}
	objects := map[string]*v1alpha1.Article{}
	for i, name := range names {
		a := article("w", 1, "s", review)
		a.Name, a.UID = name, types.UID(name)
		a.CreationTimestamp = metav1.NewTime(start.Add(time.Duration(i%3) * time.Second))
		objects[name] = a
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		x, _ := newIndex()
		there := map[string]bool{}
		for range 60 {
			name := names[random.IntN(len(names))]
			if there[name] {
				x.Handlers().Articles.OnDelete(objects[name])
			} else {
				x.Handlers().Articles.OnAdd(objects[name], false)
			}
			there[name] = !there[name]
		}
		fresh, _ := newIndex()
		for _, name := range names {
			if there[name] {
				fresh.Handlers().Articles.OnAdd(objects[name], false)
			}
		}
		if got, want := listedIn(x), listedIn(fresh); !slices.Equal(got, want) {
			t.Fatalf("listed %v, a new replica lists %v", got, want)
		}
	}
}
