package index_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
)

// After a lost watch, the informer receives everything at once, and hands it over in any order.
func TestAListByTimeIsNotCompleteWhileAnEarlierPublicationIsOnItsWay(t *testing.T) {
	x, clock := newIndex()
	earlier := publishedAt(article("w", 1, "s", published), start.Add(-2*time.Hour))
	later := publishedAt(article("w", 2, "s", published), start.Add(-time.Hour))
	elsewhere := publishedAt(article("other", 3, "s", published), start.Add(-4*time.Hour))
	received := map[*v1alpha1.Article]any{}
	receive := func(all ...*v1alpha1.Article) {
		t.Helper()
		for _, a := range all {
			o, err := x.Transform()(a.DeepCopy())
			if err != nil {
				t.Fatal(err)
			}
			received[a] = o
		}
	}
	since := start.Add(-day)
	wantComplete := func(when string, want time.Time) {
		t.Helper()
		for name, page := range map[string]index.Page{"Published": x.Published("w", index.Query{}, since, "", 10), "Changed": x.Changed("w", "", since, "", 10)} {
			if !page.Complete.Equal(want) {
				t.Errorf("%s, %s is complete until %v, want %v", when, name, page.Complete, want)
			}
		}
	}
	h := x.Handlers().Articles
	receive(earlier, later, elsewhere)
	wantComplete("before any event", since)
	h.OnAdd(received[later], false)
	wantComplete("before the earlier one is there", start.Add(-2*time.Hour-index.Lateness))
	// An event of a state before the publication may come first.
	h.OnAdd(next(article("w", 1, "s", approved), func(a *v1alpha1.Article) { a.ResourceVersion = "1" }), false)
	wantComplete("after an older state of the earlier one", start.Add(-2*time.Hour-index.Lateness))
	h.OnUpdate(nil, received[earlier])
	wantComplete("when both are there", start.Add(-time.Hour-index.Lateness))

	// The watch is lost again, and the next one does not have it anymore.
	receive(earlier)
	wantComplete("while it is on its way again", start.Add(-2*time.Hour-index.Lateness))
	h.OnDelete(earlier)
	wantComplete("after it is deleted", start.Add(-time.Hour-index.Lateness))
	receive(earlier)
	clock.SetTime(start.Add(11 * time.Minute))
	wantComplete("after it has not come for long", start.Add(-time.Hour-index.Lateness))
}

func TestADeletedArticleIsGoneAtEachOfItsPosts(t *testing.T) {
	x, _ := newIndex()
	at := v1alpha1.NewMicroTime(start)
	post := func(slug string) *v1alpha1.Post {
		p := &v1alpha1.Post{Spec: v1alpha1.PostSpec{
			SiteRef: v1alpha1.LocalReference{Name: "s"}, ArticleRef: v1alpha1.LocalReference{Name: "a"}, Slug: slug,
			State: v1alpha1.PostRemoved, RemovalTime: &at,
		}}
		p.Namespace, p.Name, p.UID = "w", slug+"-0123", "uid-of-"+types.UID(slug)
		return p
	}
	first, second := post("first"), post("second")
	for _, p := range []*v1alpha1.Post{first, second} {
		x.Handlers().Posts.OnAdd(p, false)
	}
	gone := func() []string {
		slugs := []string{}
		for _, a := range x.Changed("w", "", start, "", 10).Articles {
			if a.Gone.Equal(start) {
				slugs = append(slugs, a.Slug())
			}
		}
		return slugs
	}
	wantStrings(t, "gone", gone(), []string{"first", "second"})
	x.Handlers().Posts.OnDelete(first)
	wantStrings(t, "gone after a Post is deleted", gone(), []string{"second"})
}

func TestAnArticleThatWasUpdatedWhenItWasPublishedIsChangedOnce(t *testing.T) {
	x, _ := newIndex()
	a := publishedAt(article("w", 1, "s", published), start)
	a.Status.Publication.Post.UpdateTime = a.Status.Publication.Post.PublishTime
	x.Handlers().Articles.OnAdd(a, false)
	if got := x.Changed("w", "", start, "", 10).Articles; len(got) != 1 {
		t.Errorf("it is there %d times", len(got))
	}
}
