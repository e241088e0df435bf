package index

import "github.com/tidwall/btree"

// trees hold articles in one order, chosen in several ways.
type trees map[treeKey]*btree.Map[string, *entry]

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
