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
	x.mu.RLock()
	defer x.mu.RUnlock()
	f := newFilter(Query{SiteUID: siteUID}, x.clock.Now())
	return f.page(&x.view(workspace).byDate, timeKey(from), timeKey(to), after, limit)
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

// dateOf returns the time at which a calendar has an article, and zero if it does not have it.
func dateOf(a *Article) time.Time {
	if at := publishedAt(a); !at.IsZero() && a.Phase != v1alpha1.PhasePublished {
		// It is archived.
		return time.Time{}
	}
	at, _ := TimeOf(*a)
	return at
}
