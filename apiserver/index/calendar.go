package index

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/btree"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Dated is an article at the time that it was published, or that its publication was asked for.
type Dated struct {
	Article

	At time.Time
	// key orders by time, and then by age.
	key string
}

// DatedPage is a page of a calendar.
type DatedPage struct {
	// Articles by time.
	Articles []Dated
	// More reports whether there are further pages, and Cursor is where the next one begins.
	More   bool
	Cursor string
}

// Between returns up to limit articles of a workspace whose time is from a time to before another: those that are published, and those
// that are not and have a time that publication was asked for, which may have passed. An empty siteUID chooses all sites. after is the
// cursor of the previous page, empty for the first page.
func (x *Index) Between(workspace, siteUID string, from, to time.Time, after string, limit int) DatedPage {
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	ns, start, end := x.view(workspace), max(publishedAt(from), after), publishedAt(to)
	found := dated(ns.published.of(treeKey{siteUID: siteUID, status: v1alpha1.PhasePublished}), start, end, limit)
	found = append(found, dated(ns.planned.of(treeKey{siteUID: siteUID}), start, end, limit)...)
	x.mu.RUnlock()
	slices.SortFunc(found, func(a, b Dated) int { return strings.Compare(a.key, b.key) })
	found = slices.DeleteFunc(found, func(d Dated) bool { return d.key == after })
	page := DatedPage{Articles: found}
	if len(found) > limit {
		page.Articles, page.More = found[:limit], true
		page.Cursor = found[limit-1].key
	}
	return page
}

// dated returns the first articles of a tree from a key to before another: enough for a page, for the article of the cursor and for one
// that says that there are more.
func dated(byTime *btree.Map[string, *entry], from, to string, limit int) (out []Dated) {
	byTime.Ascend(from, func(key string, e *entry) bool {
		if key >= to || len(out) == limit+2 {
			return false
		}
		at, _ := timeOf(e.Article)
		out = append(out, Dated{Article: e.Article, At: at, key: key})
		return true
	})
	return out
}

// timeOf returns the time at which a calendar has an article, if it has it at all.
func timeOf(a Article) (time.Time, bool) {
	if p := a.Object.Status.Publication; p != nil && p.PublishTime != nil {
		return p.PublishTime.Time, true
	}
	if at := a.Object.Spec.PublishAfter; at != nil && a.Object.Spec.Stage == v1alpha1.StagePublished {
		return at.Time, true
	}
	return time.Time{}, false
}

// plannedKey is the key of an article that is not published, empty if nobody has asked for a time.
func plannedKey(a Article) string {
	at, ok := timeOf(a)
	if !ok || publishedKey(a) != "" {
		return ""
	}
	return publishedAt(at) + a.ID
}
