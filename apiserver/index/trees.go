package index

import "github.com/tidwall/btree"

// trees hold articles in one order, chosen in several ways.
type trees map[treeKey]*btree.Map[string, *entry]

// of returns a tree to read; an empty one if there is none.
func (t trees) of(key treeKey) *btree.Map[string, *entry] {
	if tree, ok := t[key]; ok {
		return tree
	}
	return &btree.Map[string, *entry]{}
}

// add adds an article to the trees with these keys.
func (t trees) add(keys []treeKey, at string, e *entry) {
	for _, key := range keys {
		tree, ok := t[key]
		if !ok {
			tree = &btree.Map[string, *entry]{}
			t[key] = tree
		}
		tree.Set(at, e)
	}
}

// remove removes an article from the trees with these keys, and the trees that are empty then.
func (t trees) remove(keys []treeKey, at string) {
	for _, key := range keys {
		tree, ok := t[key]
		if !ok {
			continue
		}
		tree.Delete(at)
		if tree.Len() == 0 {
			delete(t, key)
		}
	}
}

// iterators walk several trees as one.
type iterators struct {
	all       []iterator
	ascending bool
	// key of the article that next has returned last.
	key string
}

// iterator is at an article of a tree that has not been returned yet, until it is done.
type iterator struct {
	btree.MapIter[string, *entry]

	done bool
}

// iterators start behind the article of a key, which need not exist; at the beginning if it is empty.
func (t trees) iterators(keys []treeKey, after string, ascending bool) *iterators {
	out := &iterators{ascending: ascending}
	for _, key := range keys {
		i := iterator{MapIter: t.of(key).Iter()}
		i.start(after, ascending)
		out.all = append(out.all, i)
	}
	return out
}

// and are these iterators and others in the same direction.
func (x *iterators) and(others *iterators) *iterators {
	x.all = append(x.all, others.all...)
	return x
}

func (i *iterator) start(after string, ascending bool) {
	switch {
	case after == "" && ascending:
		i.done = !i.First()
	case after == "":
		i.done = !i.Last()
	case ascending:
		i.done = !i.Seek(after)
		if !i.done && i.Key() == after {
			i.done = !i.Next()
		}
	case i.Seek(after):
		i.done = !i.Prev()
	default:
		i.done = !i.Last()
	}
}

// next returns the next article of all trees; nil at the end.
func (x *iterators) next() *entry {
	var first *iterator
	for n := range x.all {
		if i := &x.all[n]; !i.done && (first == nil || (i.Key() < first.Key()) == x.ascending) {
			first = i
		}
	}
	if first == nil {
		return nil
	}
	e := first.Value()
	x.key = first.Key()
	if x.ascending {
		first.done = !first.Next()
	} else {
		first.done = !first.Prev()
	}
	return e
}
