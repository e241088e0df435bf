package index

// Size counts what the index holds.
func Size(x *Index) int {
	return len(x.namespaces) + len(x.accounts) + len(x.watchers.workspaces)
}
