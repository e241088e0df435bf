package index

import "strings"

// chunk is how many articles are looked at before the lock is let go for a moment, so that a search delays no event.
const chunk = 2000

// walk is the way of a list through a tree.
type walk struct {
	matcher

	limit int
	// last is the _id that the walk has come to.
	last  string
	items []Article
	// more reports whether an article was found beyond the limit.
	more bool
}

// take looks at an article and reports whether the walk goes on.
func (w *walk) take(e *entry) bool {
	if w.matches(&e.Article) {
		if len(w.items) == w.limit {
			w.more = true
			return false
		}
		w.items = append(w.items, e.Article)
	}
	w.last = e.ID
	return true
}

// step walks one chunk, and reports whether there is another one.
func (w *walk) step(ns *namespace, keys []treeKey) bool {
	iterators := ns.trees.iterators(keys, w.last, w.OldestFirst)
	for range chunk {
		e := iterators.next()
		if e == nil || !w.take(e) {
			return false
		}
	}
	return true
}

// List returns up to limit articles of a workspace, and whether there are more. after is the _id of the last article of the previous
// page, empty for the first page; that article need not exist any more.
func (x *Index) List(workspace string, q Query, after string, limit int) ([]Article, bool) {
	x.reindexDue(x.clock.Now())
	w := &walk{
		matcher: matcher{q, strings.Fields(strings.ToLower(q.Text))}, limit: limit, last: after, items: make([]Article, 0, limit),
	}
	keys := q.trees()
	for further := true; further; {
		x.mu.RLock()
		further = w.step(x.view(workspace), keys)
		x.mu.RUnlock()
	}
	return w.items, w.more
}
