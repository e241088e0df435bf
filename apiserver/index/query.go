package index

import (
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Query chooses articles, and says which come first. An empty field chooses all.
type Query struct {
	SiteUID string
	// Statuses of which each article has one.
	Statuses []v1alpha1.ArticlePhase
	// Publication is the state of the last delivery cycle.
	Publication v1alpha1.CycleState
	// Text has words. Each must be part of the title, the keyword, the slug, the model that wrote the text, or the name of who decided on
	// it, in whatever case.
	Text string
	// Slug is the whole slug.
	Slug string
	// UpdatedSince is when the articles were last written, or before.
	UpdatedSince time.Time
	// Person created, changed or decided on the articles: see Article.DeedsOf.
	Person string
	// OldestFirst reverses the order, which is newest first.
	OldestFirst bool
}

// filter is a Query at a time.
type filter struct {
	Query

	words []string
	now   time.Time
}

func newFilter(q Query, now time.Time) filter {
	// The time of a write is known in whole seconds.
	q.UpdatedSince = q.UpdatedSince.Truncate(time.Second)
	return filter{q, strings.Fields(strings.ToLower(q.Text)), now}
}

func (f *filter) matches(e *entry) bool {
	switch {
	case f.SiteUID != "" && e.SiteUID != f.SiteUID,
		len(f.Statuses) > 0 && !slices.Contains(f.Statuses, e.phase(f.now)),
		f.Publication != "" && e.publication != f.Publication,
		f.Slug != "" && e.Slug() != f.Slug,
		e.updated.Before(f.UpdatedSince),
		f.Person != "" && e.DeedsOf(f.Person) == Deeds{}:
		return false
	}
	return !slices.ContainsFunc(f.words, func(word string) bool { return !strings.Contains(e.text, word) })
}

// List returns up to limit articles of a workspace, and whether there are more. after is the _id of the last article of the previous
// page, empty for the first page; that article need not exist any more.
func (x *Index) List(workspace string, q Query, after string, limit int) (items []Article, more bool) {
	f := newFilter(q, x.clock.Now())
	items = make([]Article, 0, limit)
	x.mu.RLock()
	defer x.mu.RUnlock()
	byAge, take := &x.view(workspace).byAge, func(_ string, e *entry) bool {
		switch {
		case !f.matches(e):
			return true
		case len(items) == limit:
			more = true
			return false
		}
		items = append(items, e.at(f.now))
		return true
	}
	switch {
	case q.OldestFirst:
		byAge.Ascend(beyond(after), take)
	case after == "":
		byAge.Reverse(take)
	default:
		byAge.Descend(after, take)
	}
	return items, more
}
