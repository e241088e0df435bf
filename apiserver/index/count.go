package index

// Count returns how many articles of a workspace a filter chooses, without going through them.
func (x *Index) Count(workspace string, f Filter) int {
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	ns, ok := x.namespaces[workspace]
	if !ok {
		return 0
	}
	if tree, ok := ns.trees[f]; ok {
		return tree.Len()
	}
	return 0
}
