package index_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

func filled(n int) *index.Index {
	x, _ := newIndex()
	h := x.Handlers().Articles
	for i := range n {
		phase := review
		if i%2 == 0 {
			phase = published
		}
		h.OnAdd(article("w", i, fmt.Sprintf("s%d", i%4), phase), true)
	}
	return x
}

// pageReader returns a function that reads a full page of 20 after a cursor.
func pageReader(b *testing.B, x *index.Index, f index.Query, before string) func() {
	b.Helper()
	return func() {
		if items, _ := x.List("w", f, before, 20); len(items) != 20 {
			b.Fatalf("a page of %d", len(items))
		}
	}
}

// cost returns the nanoseconds that a call takes, over 20,000 calls.
func cost(read func()) float64 {
	const calls = 20_000
	began := time.Now()
	for range calls {
		read()
	}
	return float64(time.Since(began).Nanoseconds()) / calls
}

// The cost of a page of 20 may not depend on how many articles there are: x-of-100 says how many times that of a
// workspace of 100 articles one of 100,000 costs.
func BenchmarkPageOf20(b *testing.B) {
	const small, large = 100, 100_000
	few, many := filled(small), filled(large)
	middle, ok := many.Get("w", identity.UID(identity.KindArticle, "w", fmt.Sprintf("a%06d", large/2)))
	if !ok {
		b.Fatal("no article in the middle")
	}
	for name, f := range map[string]index.Query{
		"all":             {},
		"site":            {SiteUID: identity.UID(identity.KindSite, "w", "s1")},
		"status":          {Statuses: []v1alpha1.ArticlePhase{review}},
		"site-and-status": {SiteUID: identity.UID(identity.KindSite, "w", "s1"), Statuses: []v1alpha1.ArticlePhase{review}},
	} {
		b.Run(name, func(b *testing.B) {
			base := cost(pageReader(b, few, f, ""))
			read := pageReader(b, many, f, middle.ID)
			for b.Loop() {
				read()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/base, "x-of-100")
		})
	}
}

// Numbers of articles that the dashboard is measured with.
const thousands, manyThousands = 10_000, 100_000

// A list of 50, at its beginning and at its end, oldest first too: x-of-10k says how many times what it costs at 10,000 articles it
// costs at 100,000.
func BenchmarkListOf50(b *testing.B) {
	few, many := filled(thousands), filled(manyThousands)
	read := func(x *index.Index, q index.Query, n int) func() {
		after := ""
		if n > 0 {
			last, ok := x.Get("w", identity.UID(identity.KindArticle, "w", fmt.Sprintf("a%06d", n)))
			if !ok {
				b.Fatal("no such article")
			}
			after = last.ID
		}
		return func() {
			if items, _ := x.List("w", q, after, 50); len(items) != 50 {
				b.Fatalf("a page of %d", len(items))
			}
		}
	}
	for name, at := range map[string]struct {
		query index.Query
		after int
	}{
		"first-page":   {index.Query{}, 0},
		"last-page":    {index.Query{}, 50},
		"oldest-first": {index.Query{Statuses: []v1alpha1.ArticlePhase{review}, OldestFirst: true}, 0},
	} {
		b.Run(name, func(b *testing.B) {
			base := cost(read(few, at.query, at.after))
			page := read(many, at.query, at.after)
			for b.Loop() {
				page()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/base, "x-of-10k")
		})
	}
}

func BenchmarkCounts(b *testing.B) {
	few, many := filled(thousands), filled(manyThousands)
	base := cost(func() { few.Count("w", "") })
	for b.Loop() {
		many.Count("w", "")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/base, "x-of-10k")
}

// A search that finds nothing looks at all 10,000 articles: at most 50 ms on a quiet machine.
func BenchmarkSearchOf10000(b *testing.B) {
	x, _ := newIndex()
	for i := range thousands {
		x.Handlers().Articles.OnAdd(titled(i, fmt.Sprintf("Trail Running Shoes for Wet Rock, Part %d", i), "trail running shoes", "trail-shoes"), true)
	}
	for b.Loop() {
		if items, _ := x.List("w", index.Query{Text: "Mountain boots"}, "", 50); len(items) != 0 {
			b.Fatalf("a page of %d", len(items))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/search")
}

// What the index adds to an article that the informer holds anyway.
func BenchmarkMemoryOfAnArticle(b *testing.B) {
	const n = 100_000
	articles := make([]any, n)
	for i := range articles {
		articles[i] = article("w", i, "s", review)
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
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "bytes/article")
		runtime.KeepAlive(x)
	}
	runtime.KeepAlive(articles)
}
