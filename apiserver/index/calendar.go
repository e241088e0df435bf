package index

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Between returns up to limit articles of a workspace whose time is from a time to before another: those that are published, and those
// that are not and have a time that publication was asked for, which may have passed. An empty siteUID chooses all sites. after is the
// cursor of the previous page, empty for the first page.
func (x *Index) Between(workspace, siteUID string, from, to time.Time, after string, limit int) Page {
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	ns, page, start, end := x.view(workspace), Page{}, max(publishedAt(from), after), publishedAt(to)
	found := ns.published.iterators([]treeKey{{siteUID: siteUID, status: v1alpha1.PhasePublished}}, start, true).
		and(ns.planned.iterators([]treeKey{{siteUID: siteUID}}, start, true))
	for e := found.next(); e != nil && found.key < end; e = found.next() {
		if len(page.Articles) == limit {
			page.More = true
			break
		}
		page.Articles, page.Cursor = append(page.Articles, e.Article), found.key
	}
	return page
}

// TimeOf returns the time at which a calendar has an article, if it has it at all.
func TimeOf(a Article) (time.Time, bool) {
	if published := lifecycle.Have(a.Object).PublishTime; published != nil {
		return published.Time, true
	}
	if at := lifecycle.NotBefore(a.Object); !at.IsZero() && a.Object.Spec.Stage == v1alpha1.StagePublished {
		return at, true
	}
	return time.Time{}, false
}

// plannedKey is the key of an article that is not published, empty if nobody has asked for a time.
func plannedKey(a Article) string {
	at, ok := TimeOf(a)
	if !ok || publishedKey(a) != "" {
		return ""
	}
	return publishedAt(at) + a.ID
}
