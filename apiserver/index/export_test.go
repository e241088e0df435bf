package index

// Size counts what the index holds.
func Size(x *Index) int {
	return len(x.rooms) + len(x.accounts) + x.due.Len()
}
