package index_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// sizes are the numbers of articles in one workspace that the index is measured with.
var sizes = []int{3_000, 20_000, 100_000}

// benchAge is how much older an article is than the next one.
const benchAge = 10 * time.Minute

// benchCreated is when article n of a workspace of so many was created: the last one was created just now.
func benchCreated(n, of int) time.Time { return start.Add(time.Duration(n-of) * benchAge) }

// benchArticle is article n of a workspace of so many: half of them are published, a tenth is approved and waits for its time, one of 50
// has a delivery that failed, and the others are in review. Every fifth of those that are published was updated since.
func benchArticle(n, of int) *v1alpha1.Article {
	created := benchCreated(n, of)
	a := titled(n, fmt.Sprintf("Trail Running Shoes for Wet Rock, Part %d", n), "trail running shoes", fmt.Sprintf("trail-shoes-%d", n))
	a.UID = types.UID(fmt.Sprintf("215f1e04-416c-4b53-a375-%012d", n))
	a.CreationTimestamp, a.Spec.SiteRef.Name = metav1.NewTime(created), fmt.Sprintf("s%d", n%4)
	a.ManagedFields = []metav1.ManagedFieldsEntry{{Time: new(metav1.NewTime(created))}}
	a.Status.Run = &v1alpha1.GenerationRun{Model: "qwen3-32b"}
	switch {
	case n%2 == 0:
		at := created.Add(time.Hour)
		publishedAt(a, at)
		a.Status.Phase, a.Status.Publication.Cycle = published, &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleAccepted}
		a.Spec.Review = &v1alpha1.ArticleReview{By: "Petra Keller <petra@acme.example>"}
		if n%10 == 0 {
			a.Status.Publication.Post.UpdateTime = new(v1alpha1.NewMicroTime(at.Add(time.Hour)))
		}
	case n%10 == 1:
		a.Status.Phase = scheduled
		plannedFor(a, start.Add(time.Duration(n%60)*day))
	case n%50 == 3:
		sent(a, v1alpha1.CycleFailed)
		a.Status.Phase = v1alpha1.PhaseFailed
	}
	return a
}

func filled(n int) *index.Index {
	x, _ := newIndex()
	h := x.Handlers()
	h.Namespaces.OnAdd(namespace("w", "acme", "1"), true)
	for i := range 4 {
		h.Sites.OnAdd(site("w", fmt.Sprintf("s%d", i), time.Hour), true)
	}
	for i := range n {
		h.Articles.OnAdd(benchArticle(i, n), true)
	}
	return x
}

// benchID is the _id of article n of a workspace of so many.
func benchID(n, of int) string {
	return identity.RecordID(benchUID(n), benchCreated(n, of))
}

func benchUID(n int) string {
	return identity.UID(identity.KindArticle, "w", fmt.Sprintf("a%06d", n))
}

// measured is a read of the index, and how many articles it wants.
type measured struct {
	want int
	read func() int
}

// forEachSize measures reads of an index of each size.
func forEachSize(b *testing.B, reads func(x *index.Index, n int) map[string]measured) {
	b.Helper()
	for _, n := range sizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			all := reads(filled(n), n)
			for _, name := range slices.Sorted(maps.Keys(all)) {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if got := all[name].read(); got != all[name].want {
							b.Fatalf("%d articles, want %d", got, all[name].want)
						}
					}
				})
			}
		})
	}
}

// list reads a page of 20.
func list(x *index.Index, q index.Query, after string, want int) measured {
	return measured{want, func() int {
		items, _ := x.List("w", q, after, 20)
		return len(items)
	}}
}

// A page of 20 without a filter: what it costs may not depend on how many articles there are.
func BenchmarkPage(b *testing.B) {
	forEachSize(b, func(x *index.Index, n int) map[string]measured {
		return map[string]measured{
			"first": list(x, index.Query{}, "", 20), "middle": list(x, index.Query{}, benchID(n/2, n), 20),
			"last":         list(x, index.Query{}, benchID(20, n), 20),
			"oldest-first": list(x, index.Query{OldestFirst: true}, benchID(n/2, n), 20),
		}
	})
}

// Pages of 20 with each of the filters. Those that find nothing look at every article.
func BenchmarkFilter(b *testing.B) {
	s1 := identity.UID(identity.KindSite, "w", "s1")
	forEachSize(b, func(x *index.Index, n int) map[string]measured {
		all := map[string]measured{
			"slug":         list(x, index.Query{Slug: fmt.Sprintf("trail-shoes-%d", n/2)}, "", 1),
			"slug-in-site": list(x, index.Query{SiteUID: s1, Slug: "trail-shoes-1"}, "", 1),
		}
		for name, q := range map[string]index.Query{
			"site":          {SiteUID: s1},
			"status":        {Statuses: []v1alpha1.ArticlePhase{review}},
			"status-two":    {Statuses: []v1alpha1.ArticlePhase{review, v1alpha1.PhaseFailed}},
			"site-status":   {SiteUID: s1, Statuses: []v1alpha1.ArticlePhase{review}},
			"publication":   {Publication: v1alpha1.CycleFailed},
			"search":        {Text: "shoes Rock"},
			"updated-since": {UpdatedSince: start.Add(-day)},
		} {
			all[name] = list(x, q, "", 20)
		}
		for name, q := range map[string]index.Query{
			"site-none":           {SiteUID: benchUID(1)},
			"status-none":         {Statuses: []v1alpha1.ArticlePhase{v1alpha1.PhaseDraft}},
			"publication-none":    {Publication: v1alpha1.CycleCancelled},
			"search-none":         {Text: "Mountain boots"},
			"search-in-site-none": {SiteUID: s1, Text: "Mountain boots"},
			"updated-since-none":  {UpdatedSince: start.Add(day)},
		} {
			all[name] = list(x, q, "", 0)
		}
		return all
	})
}

// Lists by time, and the calendar of a month.
func BenchmarkByTime(b *testing.B) {
	ever := time.Unix(0, 0)
	forEachSize(b, func(x *index.Index, n int) map[string]measured {
		middle := benchCreated(n/2, n)
		publishedList := func(q index.Query, since time.Time, want int) measured {
			return measured{want, func() int { return len(x.Published("w", q, since, "", 20).Articles) }}
		}
		changedList := func(siteUID string, since time.Time, want int) measured {
			return measured{want, func() int { return len(x.Changed("w", siteUID, since, "", 20).Articles) }}
		}
		month := func(siteUID string, want int) measured {
			return measured{want, func() int {
				return len(x.Between("w", siteUID, start.Add(-15*day), start.Add(15*day), "", 100).Articles)
			}}
		}
		return map[string]measured{
			"published":             publishedList(index.Query{}, start.Add(-day), 20),
			"published-middle":      publishedList(index.Query{}, middle, 20),
			"published-of-site":     publishedList(index.Query{SiteUID: identity.UID(identity.KindSite, "w", "s2")}, middle, 20),
			"published-site-none":   publishedList(index.Query{SiteUID: benchUID(1)}, ever, 0),
			"published-status-none": publishedList(index.Query{Statuses: []v1alpha1.ArticlePhase{v1alpha1.PhaseArchived}}, ever, 0),
			"changed":               changedList("", start.Add(-day), 20),
			"changed-middle":        changedList("", middle, 20),
			"changed-site-none":     changedList(benchUID(1), ever, 0),
			"calendar":              month("", 100),
			"calendar-site-none":    month(benchUID(1), 0),
		}
	})
}

// What is read without a list.
func BenchmarkLookUp(b *testing.B) {
	s1 := identity.UID(identity.KindSite, "w", "s1")
	forEachSize(b, func(x *index.Index, n int) map[string]measured {
		uid := benchUID(n / 2)
		return map[string]measured{
			"get": {1, func() int {
				if _, ok := x.Get("w", uid); !ok {
					return 0
				}
				return 1
			}},
			"counts":         {n, func() int { return x.Count("w", "").All }},
			"counts-of-site": {n / 4, func() int { return x.Count("w", s1).All }},
			"usage":          {n, func() int { return int(x.Usage("acme").Articles) }},
		}
	})
}

// The sites of an account with as many of them as a list has at most.
func Benchmark500Sites(b *testing.B) {
	x, _ := newIndex()
	x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), true)
	for i := range 500 {
		x.Handlers().Sites.OnAdd(site("w", fmt.Sprintf("s%d", i), time.Duration(i)*time.Hour), true)
	}
	for b.Loop() {
		if got := len(x.Sites("acme", nil)); got != 500 {
			b.Fatalf("%d sites, want 500", got)
		}
	}
}

// What one event costs: a change of an article, and the deletion of one that comes back.
func BenchmarkEvent(b *testing.B) {
	forEachSize(b, func(x *index.Index, n int) map[string]measured {
		h, version := x.Handlers().Articles, 10_000_000
		article := benchArticle(n/2, n)
		return map[string]measured{
			"update": {0, func() int {
				version++
				changed := *article
				changed.ResourceVersion = strconv.Itoa(version)
				h.OnUpdate(article, &changed)
				return 0
			}},
			"delete-and-add": {0, func() int {
				h.OnDelete(article)
				h.OnAdd(article, false)
				return 0
			}},
		}
	})
}

// What the index adds to an article that the informer holds anyway.
func BenchmarkMemoryOfAnArticle(b *testing.B) {
	for _, n := range sizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			articles := make([]any, n)
			for i := range articles {
				articles[i] = benchArticle(i, n)
			}
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				x, _ := newIndex()
				for _, a := range articles {
					x.Handlers().Articles.OnAdd(a, true)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n), "bytes/article")
				runtime.KeepAlive(x)
			}
			runtime.KeepAlive(articles)
		})
	}
}
