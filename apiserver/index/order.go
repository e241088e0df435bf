package index

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tidwall/btree"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// orderedMap has articles in an order. A key is a cursor, a separator and metadata.uid. The cursor is the _id; in a map by time it is the
// time and the _id.
type orderedMap = btree.Map[string, *entry]

const (
	keySeparator = "/"
	// timeCursorLength is that of a cursor in a map by time: 16 characters of the time and 24 of the _id.
	timeCursorLength = 40
)

// list adds an article to the ordered maps.
func (ns *namespace) list(e *entry) {
	ns.eachKey(e, func(m *orderedMap, key string) { m.Set(key, e) })
}

// unlist removes an article from the ordered maps.
func (ns *namespace) unlist(e *entry) {
	ns.eachKey(e, func(m *orderedMap, key string) { m.Delete(key) })
}

// eachKey calls a function with each ordered map that has an article, and its key there.
func (ns *namespace) eachKey(e *entry, do func(m *orderedMap, key string)) {
	// Anyone who names articles with kubectl can repeat an _id, and nobody can repeat a metadata.uid.
	id := e.ID + keySeparator + string(e.Object.UID)
	if e.Gone.IsZero() {
		do(&ns.byAge, id)
	}
	for _, in := range []struct {
		byTime *orderedMap
		at     time.Time
	}{
		{&ns.byPublication, publishedAt(&e.Article)}, {&ns.byChange, changedAt(&e.Article)}, {&ns.byDate, dateOf(&e.Article)},
		{&ns.scheduled, scheduledFor(&e.Article)},
	} {
		if !in.at.IsZero() {
			do(in.byTime, timeKey(in.at)+id)
		}
	}
}

// beyond returns where articles behind a cursor begin, the first of all if it is empty: "0" follows the separator.
func beyond(cursor string) string {
	if cursor == "" {
		return ""
	}
	return cursor + "0"
}

// timeKey formats a time so that later ones sort later.
func timeKey(at time.Time) string { return fmt.Sprintf("%016x", max(at.UnixMicro(), 0)) }

// timeAt returns the time that a key of a map by time begins with.
func timeAt(key string) time.Time {
	micros, _ := strconv.ParseInt(key[:16], 16, 64)
	return time.UnixMicro(micros)
}

// publishedAt returns when an article that is published was published, and zero if it is not.
func publishedAt(a *Article) time.Time {
	p := lifecycle.Have(a.Object)
	if p.PublishTime == nil || p.UnpublishTime != nil {
		return time.Time{}
	}
	return p.PublishTime.Time
}

// changedAt returns when what the site has of an article changed last: when it was published, updated, unpublished or deleted; zero if the
// site never had it.
func changedAt(a *Article) time.Time {
	if !a.Gone.IsZero() {
		return a.Gone
	}
	switch p := lifecycle.Have(a.Object); {
	case p.UnpublishTime != nil:
		return p.UnpublishTime.Time
	case p.UpdateTime != nil:
		return p.UpdateTime.Time
	default:
		return publishedAt(a)
	}
}

// scheduledFor returns when a scheduled article becomes Approved, and zero if it is not scheduled.
func scheduledFor(a *Article) time.Time {
	if a.Phase != v1alpha1.PhaseScheduled {
		return time.Time{}
	}
	return lifecycle.NotBefore(a.Object)
}
