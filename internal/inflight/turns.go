package inflight

import (
	"container/list"
	"iter"
)

// turns holds things that are served in turn, by their names. There may be 50,000, so nothing is searched.
type turns[T any] struct {
	order  *list.List
	byName map[string]*list.Element
}

// turn is one of the things.
type turn[T any] struct {
	name string
	of   T
}

func newTurns[T any]() turns[T] { return turns[T]{list.New(), map[string]*list.Element{}} }

// get returns what has a name; false if nothing has.
func (t turns[T]) get(name string) (found T, ok bool) {
	e := t.byName[name]
	if e == nil {
		return found, false
	}
	held, ok := e.Value.(turn[T])
	return held.of, ok
}

// add adds something that is served last.
func (t turns[T]) add(name string, of T) { t.byName[name] = t.order.PushBack(turn[T]{name, of}) }

// moveToEnd has something served last.
func (t turns[T]) moveToEnd(name string) { t.order.MoveToBack(t.byName[name]) }

func (t turns[T]) remove(name string) {
	t.order.Remove(t.byName[name])
	delete(t.byName, name)
}

// all returns the things in the order in which they are served next.
func (t turns[T]) all() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for e := t.order.Front(); e != nil; e = e.Next() {
			next, _ := e.Value.(turn[T])
			if !yield(next.name, next.of) {
				return
			}
		}
	}
}
