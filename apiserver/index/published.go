package index

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Lateness bounds how much later than an article with a later published_at an article may become visible: the controller takes the
// time, and writes it with the publication a moment after. Many seconds would already mean that kube-apiserver hangs, or that the
// clocks of two leaders differ.
const Lateness = 10 * time.Minute

// Page is a page of articles by a time: that of their publication, of their last change, or in a calendar.
type Page struct {
	// Articles in the order of their times.
	Articles []Article
	// More reports whether there are further pages, and Cursor is where the next one begins.
	More   bool
	Cursor string
	// Complete is the time up to which nothing is missing: everything that was published or changed before it is visible now. It is not
	// before since. A calendar does not have it.
	Complete time.Time
}

// Published returns up to limit articles of a workspace that were published at a time or later, the earliest first, archived ones
// too. after is the cursor of the previous page, empty for the first page. Of the query, only site and statuses count.
//
// An article may become visible after one that was published later. Complete allows for that: it is Lateness before the newest
// publication that this replica has, and earlier if an article that was published before then is on its way to the index.
func (x *Index) Published(workspace string, q Query, since time.Time, after string, limit int) Page {
	return x.byTime(workspace, since, after, limit, publishedKey, func(ns *namespace, from string, ascending bool) *iterators {
		return ns.published.iterators(q.trees(), from, ascending)
	})
}

// byTime returns a page of articles that are ordered by a key which begins with a time. walk may come to an article at another key too.
func (x *Index) byTime(
	workspace string, since time.Time, after string, limit int, keyOf func(Article) string,
	walk func(ns *namespace, from string, ascending bool) *iterators,
) Page {
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	page, ns := Page{Complete: since}, x.view(workspace)
	if e := walk(ns, "", false).next(); e != nil {
		if until := x.complete(workspace, timeAt(keyOf(e.Article))); until.After(since) {
			page.Complete = until
		}
	}
	found := walk(ns, cmp.Or(after, publishedAt(since)), true)
	for e := found.next(); e != nil; e = found.next() {
		key := keyOf(e.Article)
		switch {
		case found.key != key:
			continue
		case len(page.Articles) == limit:
			page.More = true
			return page
		}
		page.Articles, page.Cursor = append(page.Articles, e.Article), key
	}
	return page
}

// complete returns the time up to which nothing is missing in a workspace with this newest publication.
func (x *Index) complete(workspace string, newest time.Time) time.Time {
	now := x.clock.Now()
	if newest.After(now) {
		// The clock of a leader was ahead.
		newest = now
	}
	return x.arriving.before(workspace, newest, now).Add(-Lateness)
}

// publishedKey orders articles by the time of their publication, and then by age. It is empty for one that is not published.
func publishedKey(a Article) string {
	p := lifecycle.Have(a.Object)
	if p.PublishTime == nil || p.UnpublishTime != nil {
		return ""
	}
	return publishedAt(p.PublishTime.Time) + a.ID
}

// publishedAt formats a time so that later ones sort later.
func publishedAt(at time.Time) string { return fmt.Sprintf("%016x", max(at.UnixMicro(), 0)) }

// timeAt returns the time that publishedAt has formatted at the beginning of a key.
func timeAt(key string) time.Time {
	micros, _ := strconv.ParseInt(key[:16], 16, 64)
	return time.UnixMicro(micros)
}
