package index_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// sent gives an article a delivery cycle in a state.
func sent(a *v1alpha1.Article, state v1alpha1.CycleState) *v1alpha1.Article {
	a.Status.Publication = &v1alpha1.Publication{}
	a.Status.Publication.Cycle = &v1alpha1.DeliveryCycle{Number: 1, State: state}
	return a
}

// walkAll reads all pages of a query.
func walkAll(t *testing.T, x *index.Index, q index.Query, limit int) []string {
	t.Helper()
	var all []string
	after := ""
	for {
		items, more := x.List("w", q, after, limit)
		all = append(all, names(items)...)
		if !more {
			return all
		}
		if len(items) != limit {
			t.Fatalf("a page of %d with more to come, want %d", len(items), limit)
		}
		after = items[len(items)-1].ID
	}
}

func TestPagesJoinWithoutGapsOrRepeatsInBothOrders(t *testing.T) {
	x, _ := newIndex()
	var all, ofOne []string
	for n := range 23 {
		a := article("w", n, fmt.Sprintf("s%d", n%2), review)
		a.Status.Revision = &v1alpha1.CurrentRevision{Title: "Shoes"}
		x.Handlers().Articles.OnAdd(a, false)
		if all = append(all, a.Name); n%2 == 1 {
			ofOne = append(ofOne, a.Name)
		}
	}
	one := identity.UID(identity.KindSite, "w", "s1")
	for _, q := range []index.Query{{}, {Statuses: []v1alpha1.ArticlePhase{review}}, {SiteUID: one}, {SiteUID: one, Statuses: []v1alpha1.ArticlePhase{review}}, {Text: "shoes"}} {
		want := all
		if q.SiteUID != "" {
			want = ofOne
		}
		for _, limit := range []int{1, 5, 11, 12, 23, 24} {
			q.OldestFirst = true
			wantStrings(t, fmt.Sprintf("%+v by %d", q, limit), walkAll(t, x, q, limit), want)
			q.OldestFirst = false
			newest := slices.Clone(want)
			slices.Reverse(newest)
			wantStrings(t, fmt.Sprintf("%+v by %d", q, limit), walkAll(t, x, q, limit), newest)
		}
	}
}

// titled is an article with what a search looks at.
func titled(n int, title, keyword, slug string) *v1alpha1.Article {
	a := article("w", n, "s", review)
	if title != "" {
		a.Status.Revision = &v1alpha1.CurrentRevision{Title: title}
	}
	if keyword != "" {
		a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: keyword}
	}
	a.Status.Slug = slug
	return a
}

func TestTextIsSearchedInWhatAListShows(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	h.OnAdd(titled(1, "Trail Running Shoes", "", ""), false)
	h.OnAdd(titled(2, "", "shoes for TRAILS", ""), false)
	h.OnAdd(titled(3, "Wandern", "", "alpine-trail"), false)
	h.OnAdd(titled(4, "ÜBERBLICK", "", ""), false)
	written := article("w", 5, "s", review)
	written.Spec.Content = &v1alpha1.ArticleContent{Title: "A draft", Slug: "asked-for"}
	h.OnAdd(written, false)
	generated := titled(6, "Huts", "", "")
	generated.Status.Run = &v1alpha1.GenerationRun{Model: "Qwen3-32b"}
	generated.Spec.Review = &v1alpha1.ArticleReview{By: "Petra Keller <petra@acme.example>"}
	h.OnAdd(generated, false)
	rewritten := titled(7, "Passes", "", "")
	rewritten.Status.Run = &v1alpha1.GenerationRun{Model: "qwen3-32b"}
	rewritten.Spec.Content = &v1alpha1.ArticleContent{Title: "Passes", Markdown: "Of the author."}
	h.OnAdd(rewritten, false)
	for text, want := range map[string][]string{
		"trail":           {"a000003", "a000002", "a000001"},
		"TRAIL":           {"a000003", "a000002", "a000001"},
		"shoes trail":     {"a000002", "a000001"},
		"  shoes\ttrail ": {"a000002", "a000001"},
		"unning sho":      {"a000001"},
		"überblick":       {"a000004"},
		"draft":           {"a000005"},
		"asked-for":       {"a000005"},
		"qwen3":           {"a000006"},
		"petra huts QWEN": {"a000006"},
		"keller passes":   nil,
		"nothing":         nil,
		" ":               {"a000007", "a000006", "a000005", "a000004", "a000003", "a000002", "a000001"},
	} {
		wantStrings(t, text, walkAll(t, x, index.Query{Text: text}, 10), want)
	}
}

func TestASearchFindsWhatIsFarApart(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	for i := range 5000 {
		title := "Other"
		if i%1999 == 0 {
			title = "Needle"
		}
		h.OnAdd(titled(i, title, "", ""), true)
	}
	want := []string{"a003998", "a001999", "a000000"}
	for _, limit := range []int{1, 2, 3, 10} {
		wantStrings(t, "newest first", walkAll(t, x, index.Query{Text: "needle"}, limit), want)
	}
	slices.Reverse(want)
	wantStrings(t, "oldest first", walkAll(t, x, index.Query{Text: "needle", OldestFirst: true}, 2), want)
}

func TestPublicationsAreListedByTheirState(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	h.OnAdd(article("w", 1, "s", review), false)
	failed := sent(article("w", 2, "s", v1alpha1.PhaseFailed), v1alpha1.CycleFailed)
	h.OnAdd(failed, false)
	// A redelivery that fails leaves the article published.
	h.OnAdd(sent(article("w", 3, "other", published), v1alpha1.CycleFailed), false)
	h.OnAdd(sent(article("w", 4, "s", published), v1alpha1.CycleAccepted), false)
	list := func(q index.Query) []string { return walkAll(t, x, q, 1) }
	wantStrings(t, "failed", list(index.Query{Publication: v1alpha1.CycleFailed}), []string{"a000003", "a000002"})
	wantStrings(t, "failed and published", list(index.Query{Publication: v1alpha1.CycleFailed, Statuses: []v1alpha1.ArticlePhase{published}}), []string{"a000003"})
	site := identity.UID(identity.KindSite, "w", "s")
	wantStrings(t, "failed of a site", list(index.Query{Publication: v1alpha1.CycleFailed, SiteUID: site}), []string{"a000002"})
	wantStrings(t, "retries", list(index.Query{Publication: v1alpha1.CycleRetryScheduled}), nil)

	h.OnUpdate(failed, next(failed, func(a *v1alpha1.Article) { a.Status.Publication.Cycle.State = v1alpha1.CycleInProgress }))
	wantStrings(t, "failed after", list(index.Query{Publication: v1alpha1.CycleFailed}), []string{"a000003"})
	wantStrings(t, "delivering", list(index.Query{Publication: v1alpha1.CycleInProgress}), []string{"a000002"})
}

func TestCountsFollowEvents(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Articles
	h.OnAdd(article("w", 1, "s", review), false)
	second := article("w", 2, "s", review)
	h.OnAdd(second, false)
	h.OnAdd(sent(article("w", 3, "other", published), v1alpha1.CycleAccepted), false)
	h.OnAdd(article("elsewhere", 4, "s", review), false)
	want := func(siteUID string, all int, statuses map[v1alpha1.ArticlePhase]int, publications map[v1alpha1.CycleState]int) {
		t.Helper()
		got := x.Count("w", siteUID)
		if got.All != all || !maps.Equal(got.ByStatus, statuses) || !maps.Equal(got.ByPublication, publications) {
			t.Errorf("Count(%q) = %+v, want %d, %v, %v", siteUID, got, all, statuses, publications)
		}
	}
	delivered := map[v1alpha1.CycleState]int{v1alpha1.CycleAccepted: 1}
	want("", 3, map[v1alpha1.ArticlePhase]int{review: 2, published: 1}, delivered)
	want(identity.UID(identity.KindSite, "w", "s"), 2, map[v1alpha1.ArticlePhase]int{review: 2}, nil)
	h.OnUpdate(second, next(second, func(a *v1alpha1.Article) { a.Status.Phase = v1alpha1.PhaseRejected }))
	want("", 3, map[v1alpha1.ArticlePhase]int{review: 1, v1alpha1.PhaseRejected: 1, published: 1}, delivered)
	h.OnDelete(second)
	want("", 2, map[v1alpha1.ArticlePhase]int{review: 1, published: 1}, delivered)
	if got := x.Count("nowhere", ""); got.All != 0 || len(got.ByStatus) != 0 {
		t.Errorf("Count of no workspace = %+v", got)
	}
}

func TestAScheduledArticleIsCountedAsApprovedOnceItsTimeHasCome(t *testing.T) {
	x, clock := newIndex()
	x.Handlers().Articles.OnAdd(article("w", 9, "one", approved), false)
	for n, site := range []string{"one", "two", "one"} {
		a := article("w", n, site, scheduled)
		a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(time.Duration(n+1) * time.Minute)}
		x.Handlers().Articles.OnAdd(a, false)
	}
	one := identity.UID(identity.KindSite, "w", "one")
	for minute, tt := range []struct{ wantAll, wantOfOne map[v1alpha1.ArticlePhase]int }{
		{map[v1alpha1.ArticlePhase]int{scheduled: 3, approved: 1}, map[v1alpha1.ArticlePhase]int{scheduled: 2, approved: 1}},
		{map[v1alpha1.ArticlePhase]int{scheduled: 2, approved: 2}, map[v1alpha1.ArticlePhase]int{scheduled: 1, approved: 2}},
		{map[v1alpha1.ArticlePhase]int{scheduled: 1, approved: 3}, map[v1alpha1.ArticlePhase]int{scheduled: 1, approved: 2}},
		{map[v1alpha1.ArticlePhase]int{approved: 4}, map[v1alpha1.ArticlePhase]int{approved: 3}},
	} {
		clock.SetTime(start.Add(time.Duration(minute) * time.Minute))
		if all, ofOne := x.Count("w", "").ByStatus, x.Count("w", one).ByStatus; !maps.Equal(all, tt.wantAll) || !maps.Equal(ofOne, tt.wantOfOne) {
			t.Errorf("after %d minutes: %v, of one site %v; want %v, %v", minute, all, ofOne, tt.wantAll, tt.wantOfOne)
		}
	}
}

func TestAListOfSeveralStatusesIsInOneOrder(t *testing.T) {
	x, _ := newIndex()
	phases := []v1alpha1.ArticlePhase{review, published, v1alpha1.PhaseFailed}
	for n := range 30 {
		x.Handlers().Articles.OnAdd(article("w", n, "s", phases[n%3]), false)
	}
	var want []string
	for n := range 30 {
		if n%3 != 1 {
			want = append(want, fmt.Sprintf("a%06d", n))
		}
	}
	q := index.Query{Statuses: []v1alpha1.ArticlePhase{v1alpha1.PhaseFailed, review}, OldestFirst: true}
	for _, limit := range []int{1, 3, 7, 20, 21} {
		wantStrings(t, "oldest first", walkAll(t, x, q, limit), want)
	}
	slices.Reverse(want)
	q.OldestFirst = false
	for _, limit := range []int{1, 3, 7, 20, 21} {
		wantStrings(t, "newest first", walkAll(t, x, q, limit), want)
	}
}

func TestArticlesAreFoundByTheirSlug(t *testing.T) {
	x, _ := newIndex()
	x.Handlers().Articles.OnAdd(titled(1, "One", "", "trail-shoes"), false)
	x.Handlers().Articles.OnAdd(titled(2, "Two", "", "trail-shoes-2"), false)
	wantStrings(t, "trail-shoes", walkAll(t, x, index.Query{Slug: "trail-shoes"}, 10), []string{"a000001"})
	wantStrings(t, "trail", walkAll(t, x, index.Query{Slug: "trail"}, 10), nil)
}

// The time of a write is known in whole seconds: what was written in the second of the filter is in the list.
func TestArticlesAreFoundByTheirLastWrite(t *testing.T) {
	x, _ := newIndex()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for n, written := range []time.Time{at.Add(-time.Second), at, at.Add(time.Minute)} {
		a := article("w", n, "s", review)
		a.CreationTimestamp = metav1.NewTime(at.Add(-time.Hour))
		a.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "m", Time: new(metav1.NewTime(written))}}
		x.Handlers().Articles.OnAdd(a, false)
	}
	list := func(since time.Time) []string { return walkAll(t, x, index.Query{UpdatedSince: since}, 10) }
	wantStrings(t, "since", list(at.Add(700*time.Millisecond)), []string{"a000002", "a000001"})
	wantStrings(t, "later", list(at.Add(time.Second)), []string{"a000002"})
}

func TestAnArticleWasNotUpdatedBeforeItWasCreatedOrPublished(t *testing.T) {
	second := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, change := range map[string]func(*index.Article, time.Time){
		"created": func(a *index.Article, at time.Time) {
			a.ID = identity.RecordID("0198f0a1-b2c3-4d4e-95f6-a7b8c9d0e1f2", at)
		},
		"published": func(a *index.Article, at time.Time) {
			a.Object.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{PublishTime: new(v1alpha1.NewMicroTime(at))}}
		},
	} {
		a := index.Article{ID: identity.RecordID("0198f0a1-b2c3-4d4e-95f6-a7b8c9d0e1f2", second.Add(-time.Hour)), Object: article("w", 1, "s", review)}
		a.Object.CreationTimestamp = metav1.NewTime(second)
		at := second.Add(150 * time.Millisecond)
		change(&a, at)
		if got := a.UpdatedAt(); !got.Equal(at) {
			t.Errorf("%s: it was updated at %v, want %v", name, got, at)
		}
	}
}
