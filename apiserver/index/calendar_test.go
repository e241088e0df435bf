package index_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const day = 24 * time.Hour

// plannedFor asks for the publication of an article at a time.
func plannedFor(a *v1alpha1.Article, at time.Time) *v1alpha1.Article {
	a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StagePublished, &v1alpha1.Time{Time: at}
	return a
}

func publishedAt(a *v1alpha1.Article, at time.Time) *v1alpha1.Article {
	a.Spec.Stage = v1alpha1.StagePublished
	a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
		State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{}, PublishTime: &v1alpha1.MicroTime{Time: at},
	}}
	return a
}

func datedNames(page index.Page) []string {
	out := make([]string, 0, len(page.Articles))
	for _, d := range page.Articles {
		at, _ := index.TimeOf(d)
		out = append(out, d.Object.Name+" "+at.UTC().Format("02 15:04"))
	}
	return out
}

func TestACalendarHasWhatIsPublishedAndWhatIsPlanned(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	at := func(days int) time.Time { return start.Add(time.Duration(days) * day) }
	h.OnAdd(publishedAt(article("w", 1, "s", published), at(-2)), false)
	h.OnAdd(plannedFor(article("w", 2, "s", scheduled), at(3)), false)
	h.OnAdd(plannedFor(article("w", 3, "other", review), at(2)), false)
	// Its time came while it was in review.
	h.OnAdd(plannedFor(article("w", 4, "s", review), at(-1)), false)
	// It was published later than planned, and is in the calendar once.
	h.OnAdd(publishedAt(plannedFor(article("w", 5, "s", published), at(-4)), at(-3)), false)
	archived := publishedAt(article("w", 6, "s", v1alpha1.PhaseArchived), at(-1))
	h.OnAdd(archived, false)
	// The time of an article that nobody wants to publish means nothing.
	unwanted := plannedFor(article("w", 7, "s", review), at(1))
	unwanted.Spec.Stage = v1alpha1.StageReview
	h.OnAdd(unwanted, false)
	h.OnAdd(article("w", 8, "s", review), false)

	between := func(site string, from, to int) []string {
		return datedNames(x.Between("w", site, at(from), at(to), "", 10))
	}
	all := []string{"a000005 17 12:00", "a000001 18 12:00", "a000004 19 12:00", "a000003 22 12:00", "a000002 23 12:00"}
	wantStrings(t, "all", between("", -30, 30), all)
	wantStrings(t, "from is in, to is not", between("", -3, 3), all[:4])
	wantStrings(t, "of a site", between(identity.UID(identity.KindSite, "w", "other"), -30, 30), all[3:4])
	wantStrings(t, "nothing", between("", 10, 20), nil)
	if got := x.Between("nowhere", "", at(-30), at(30), "", 10); len(got.Articles) != 0 || got.More {
		t.Errorf("a calendar of no workspace = %+v", got)
	}
}

func TestAMovedArticleMovesInTheCalendar(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	a := plannedFor(article("w", 1, "s", scheduled), start.Add(day))
	h.OnAdd(a, false)
	b := next(a, func(a *v1alpha1.Article) { a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(2 * day)} })
	h.OnUpdate(a, b)
	month := func() []string { return datedNames(x.Between("w", "", start, start.Add(30*day), "", 10)) }
	wantStrings(t, "moved", month(), []string{"a000001 22 12:00"})
	c := next(b, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageReview })
	h.OnUpdate(b, c)
	wantStrings(t, "unscheduled", month(), nil)
	h.OnUpdate(c, next(c, func(a *v1alpha1.Article) {
		a.Status.Phase = published
		publishedAt(a, start.Add(day))
	}))
	wantStrings(t, "published", month(), []string{"a000001 21 12:00"})
	h.OnDelete(c)
	wantStrings(t, "deleted", month(), nil)
}

func TestPagesOfACalendarJoinWithoutGapsOrRepeats(t *testing.T) {
	x, _ := newIndex()
	var want []string
	for n := range 20 {
		// Two at each time, one of each kind.
		at := start.Add(time.Duration(n/2) * time.Hour)
		a := plannedFor(article("w", n, "s", review), at)
		if n%2 == 1 {
			a = publishedAt(article("w", n, "s", published), at)
		}
		x.Handlers().Articles.OnAdd(a, false)
		want = append(want, fmt.Sprintf("a%06d %s", n, at.Format("02 15:04")))
	}
	for _, limit := range []int{1, 3, 19, 20, 21} {
		var all []string
		cursor := ""
		for {
			page := x.Between("w", "", start, start.Add(day), cursor, limit)
			all = append(all, datedNames(page)...)
			if !page.More {
				break
			}
			cursor = page.Cursor
		}
		wantStrings(t, fmt.Sprintf("pages of %d", limit), all, want)
	}
}
