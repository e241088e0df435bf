// Package waitlist has articles stand in line for an allowance, such as the credits of an account.
package waitlist

import (
	"container/list"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Allowance is what a run waits for: credits of an account, or, if Site is set, articles of the site's day.
type Allowance struct {
	Account string
	Site    types.NamespacedName
}

// List has the articles whose run waits for an allowance, in the order in which they began to. As many of them are notified as the
// allowance has room for: one more credit costs one reconcile, and not one for each article that waits.
type List struct {
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
	in      Allowance
	element *list.Element
}

// New returns a List in which nobody stands.
func New() *List {
	return &List{
		lines: map[string]map[types.NamespacedName]*line{}, places: map[types.NamespacedName]place{}, notify: func(types.NamespacedName) {},
	}
}

// Notify sets the function that is called with an article that may find what it waits for.
func (w *List) Notify(f func(types.NamespacedName)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notify = f
}

// Wait puts an article in line if it is not there. polls means that it is to be reconciled at the end of the day, for all in the line.
func (w *List) Wait(in Allowance, key types.NamespacedName) (polls bool) {
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

// Notified returns the allowance for which an article was notified.
func (w *List) Notified(key types.NamespacedName) (in Allowance, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.places[key]
	return p.in, ok && p.element == nil
}

// Leave takes an article out of its line. If nobody polls for those that are left, one of them is notified: it polls, or finds that there
// is room.
func (w *List) Leave(key types.NamespacedName) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(key)
}

// Of returns what articles of an account wait for.
func (w *List) Of(account string) []Allowance {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := make([]Allowance, 0, len(w.lines[account]))
	for site := range w.lines[account] {
		found = append(found, Allowance{account, site})
	}
	return found
}

// Next notifies the first articles of a line, so that as many are notified as there is room for.
func (w *List) Next(in Allowance, room int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for l := w.lines[in.Account][in.Site]; l != nil && l.keys.Len() > 0 && int64(len(l.notified)) < room; {
		w.notifyFirst(l)
	}
}

// The methods below are called with the lock.

func (w *List) notifyFirst(l *line) {
	key, _ := l.keys.Remove(l.keys.Front()).(types.NamespacedName)
	l.notified[key] = struct{}{}
	w.places[key] = place{in: w.places[key].in}
	w.notify(key)
}

func (w *List) remove(key types.NamespacedName) {
	p, ok := w.places[key]
	if !ok {
		return
	}
	l := w.lines[p.in.Account][p.in.Site]
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
	case len(w.lines[p.in.Account]) == 1:
		delete(w.lines, p.in.Account)
	default:
		delete(w.lines[p.in.Account], p.in.Site)
	}
}

// line returns the line of an allowance, which may be empty.
func (w *List) line(in Allowance) *line {
	if w.lines[in.Account] == nil {
		w.lines[in.Account] = map[types.NamespacedName]*line{}
	}
	l := w.lines[in.Account][in.Site]
	if l == nil {
		l = &line{keys: list.New(), notified: map[types.NamespacedName]struct{}{}}
		w.lines[in.Account][in.Site] = l
	}
	return l
}
