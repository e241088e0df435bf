package index

import (
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
	x.mu.RLock()
	defer x.mu.RUnlock()
	f := newFilter(Query{SiteUID: q.SiteUID, Statuses: q.Statuses}, x.clock.Now())
	byPublication := &x.view(workspace).byPublication
	page := f.page(byPublication, timeKey(since), "", after, limit)
	page.Complete = x.complete(workspace, byPublication, &f, since)
	return page
}

// Changed returns up to limit articles of a workspace by the time at which what their sites have changed last, the earliest first: the time
// of the publication or of the last update; or at which it became Gone: it was unpublished, or an article was deleted whose site pulls. An
// empty siteUID chooses all sites. after and Complete are as in Published.
func (x *Index) Changed(workspace, siteUID string, since time.Time, after string, limit int) Page {
	x.mu.RLock()
	defer x.mu.RUnlock()
	f := newFilter(Query{SiteUID: siteUID}, x.clock.Now())
	byChange := &x.view(workspace).byChange
	page := f.page(byChange, timeKey(since), "", after, limit)
	page.Complete = x.complete(workspace, byChange, &f, since)
	for i, a := range page.Articles {
		if at := lifecycle.Have(a.Object).UnpublishTime; at != nil {
			page.Articles[i].Gone = at.Time
		}
	}
	return page
}

// page returns a page of the articles of a map by time that match, from a key to before another one, if that is not empty.
func (f *filter) page(byTime *orderedMap, from, to, after string, limit int) Page {
	var page Page
	byTime.Ascend(max(from, beyond(after)), func(key string, e *entry) bool {
		switch {
		case to != "" && key >= to:
			return false
		case !f.matches(e):
			return true
		case len(page.Articles) == limit:
			page.More = true
			return false
		}
		page.Articles, page.Cursor = append(page.Articles, e.at(f.now)), key[:timeCursorLength]
		return true
	})
	return page
}

// complete returns the time up to which nothing is missing of the articles of a map by time that match, and not one before since.
func (x *Index) complete(workspace string, byTime *orderedMap, f *filter, since time.Time) time.Time {
	complete := since
	byTime.Reverse(func(key string, e *entry) bool {
		if !f.matches(e) {
			return true
		}
		newest := timeAt(key)
		if newest.After(f.now) {
			// The clock of a leader was ahead.
			newest = f.now
		}
		if until := x.arriving.before(workspace, newest, f.now).Add(-Lateness); until.After(since) {
			complete = until
		}
		return false
	})
	return complete
}
