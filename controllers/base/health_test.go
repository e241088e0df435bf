package base_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/controllers/base"
)

var acme = types.NamespacedName{Namespace: "acme-blog", Name: "acme"}

func articleNamed(n int) types.NamespacedName {
	return types.NamespacedName{Namespace: acme.Namespace, Name: fmt.Sprintf("a-%06d", n)}
}

// The oldest of the articles that wait is right after each change.
func TestTheOldestArticleThatWaitsIsKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	health, began, waiting := &base.Health{}, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), map[int]time.Time{}
	for range 2000 {
		n := random.IntN(12)
		switch random.IntN(3) {
		case 0:
			waiting[n] = began.Add(time.Duration(random.IntN(8)) * time.Second)
			health.Waits(acme, articleNamed(n), waiting[n])
		case 1:
			delete(waiting, n)
			health.Waits(acme, articleNamed(n), time.Time{})
		default:
			delete(waiting, n)
			health.ForgetArticle(articleNamed(n))
		}
		var want time.Time
		for _, since := range waiting {
			if want.IsZero() || since.Before(want) {
				want = since
			}
		}
		if _, got, _ := health.Overall(); !got.Equal(want) {
			t.Fatalf("the oldest waits since %s, want %s: %v", got, want, waiting)
		}
	}
}

// BenchmarkArticlesThatWait is the cost of an article that begins to wait and is delivered, beside so many others of its site: it does not
// depend on their number.
func BenchmarkArticlesThatWait(b *testing.B) {
	for _, others := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("others=%d", others), func(b *testing.B) {
			health, since := &base.Health{}, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
			for n := range others {
				health.Waits(acme, articleNamed(n), since)
			}
			if r, _, next := health.Report(acme, since.Add(time.Hour)); !r.OldestWaiting.Equal(since) || next > 0 {
				b.Fatalf("the report is not shown: %+v, %s", r, next)
			}
			for n := 0; b.Loop(); n++ {
				article := articleNamed(others + n%1000)
				health.Waits(acme, article, since.Add(time.Second))
				health.Waits(acme, article, time.Time{})
			}
		})
	}
}
