package article

import (
	"container/list"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// allowance is what a run waits for: credits of an account, or, if site is set, articles of the site's day.
type allowance struct {
	account string
	site    types.NamespacedName
}

// waiting has the articles whose run waits for an allowance, in the order in which they began to. As many of them are notified as the
// allowance has room for: one more credit costs one reconcile, and not one for each article that waits.
type waiting struct {
	mu sync.Mutex
	// lines of articles by what they wait for: its account and its site.
	lines map[string]map[types.NamespacedName]*line
	// places is where each article stands.
	places map[types.NamespacedName]place
	notify func(types.NamespacedName)
}

// line holds the articles that wait for one allowance.
type line struct {
	// keys are types.NamespacedName.
	keys *list.List
	// notified articles have left keys, and were not reconciled yet.
	notified map[types.NamespacedName]struct{}
	// poller is the one that is reconciled at the end of the day; zero if none is.
	poller types.NamespacedName
}

// place is where an article stands in line; element is nil once it is notified.
type place struct {
	in      allowance
	element *list.Element
}

func newWaiting() *waiting {
	return &waiting{
		lines: map[string]map[types.NamespacedName]*line{}, places: map[types.NamespacedName]place{}, notify: func(types.NamespacedName) {},
	}
}

// Notify sets the function that is called with an article that may find what it waits for.
func (w *waiting) Notify(f func(types.NamespacedName)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notify = f
}

// wait puts an article in line if it is not there. polls means that it is to be reconciled at the end of the day, for all in the line.
func (w *waiting) wait(in allowance, key types.NamespacedName) (polls bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p, ok := w.places[key]; ok && (p.in != in || p.element == nil) {
		w.remove(key)
	}
	l := w.line(in)
	if _, ok := w.places[key]; !ok {
		w.places[key] = place{in, l.keys.PushBack(key)}
	}
	if l.poller == (types.NamespacedName{}) {
		l.poller = key
	}
	return l.poller == key
}

// notified returns the allowance for which an article was notified.
func (w *waiting) notified(key types.NamespacedName) (in allowance, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.places[key]
	return p.in, ok && p.element == nil
}

// leave takes an article out of its line. If nobody polls for those that are left, one of them is notified: it polls, or finds that there
// is room.
func (w *waiting) leave(key types.NamespacedName) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(key)
}

// of returns what articles of an account wait for.
func (w *waiting) of(account string) []allowance {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := make([]allowance, 0, len(w.lines[account]))
	for site := range w.lines[account] {
		found = append(found, allowance{account, site})
	}
	return found
}

// next notifies the first articles of a line, so that as many are notified as there is room for.
func (w *waiting) next(in allowance, room int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for l := w.lines[in.account][in.site]; l != nil && l.keys.Len() > 0 && int64(len(l.notified)) < room; {
		w.notifyFirst(l)
	}
}

// The methods below are called with the lock.

func (w *waiting) notifyFirst(l *line) {
	key, _ := l.keys.Remove(l.keys.Front()).(types.NamespacedName)
	l.notified[key] = struct{}{}
	w.places[key] = place{in: w.places[key].in}
	w.notify(key)
}

func (w *waiting) remove(key types.NamespacedName) {
	p, ok := w.places[key]
	if !ok {
		return
	}
	l := w.lines[p.in.account][p.in.site]
	delete(w.places, key)
	delete(l.notified, key)
	if p.element != nil {
		l.keys.Remove(p.element)
	}
	if l.poller == key {
		l.poller = types.NamespacedName{}
	}
	switch {
	case l.keys.Len()+len(l.notified) > 0:
		if l.poller == (types.NamespacedName{}) && len(l.notified) == 0 {
			w.notifyFirst(l)
		}
	case len(w.lines[p.in.account]) == 1:
		delete(w.lines, p.in.account)
	default:
		delete(w.lines[p.in.account], p.in.site)
	}
}

// line returns the line of an allowance, which may be empty.
func (w *waiting) line(in allowance) *line {
	if w.lines[in.account] == nil {
		w.lines[in.account] = map[types.NamespacedName]*line{}
	}
	l := w.lines[in.account][in.site]
	if l == nil {
		l = &line{keys: list.New(), notified: map[types.NamespacedName]struct{}{}}
		w.lines[in.account][in.site] = l
	}
	return l
}
