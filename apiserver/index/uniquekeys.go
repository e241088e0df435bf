package index

import (
	"cmp"
	"slices"
)

// uniqueKeys resolves several objects with the same key, which anyone who names objects with kubectl can create: one object has the key,
// and the others wait until it is removed. Every replica chooses the same object, whatever the order of the events.
type uniqueKeys[T comparable] struct {
	// holder returns the object that has a key.
	holder func(key string) (T, bool)
	// compare is below zero if a takes precedence over b.
	compare func(a, b T) int
	// assign gives an object its key, and revoke takes it away.
	assign, revoke func(T)
	// waiting are the other objects, by key.
	waiting map[string][]T
}

// add adds an object with a key. It gets the key, or waits for it.
func (c *uniqueKeys[T]) add(key string, x T) {
	if holder, taken := c.holder(key); taken {
		if c.compare(x, holder) >= 0 {
			c.waiting[key] = append(c.waiting[key], x)
			return
		}
		c.revoke(holder)
		c.waiting[key] = append(c.waiting[key], holder)
	}
	c.assign(x)
}

// remove removes an object. If it has the key, the first of the waiting objects gets it.
func (c *uniqueKeys[T]) remove(key string, x T) {
	if c.stopWaiting(key, x) {
		return
	}
	c.revoke(x)
	if waiting := c.waiting[key]; len(waiting) > 0 {
		first := slices.MinFunc(waiting, c.compare)
		c.stopWaiting(key, first)
		c.assign(first)
	}
}

// stopWaiting removes an object from those that wait for a key, and reports whether it was one of them.
func (c *uniqueKeys[T]) stopWaiting(key string, x T) bool {
	i := slices.Index(c.waiting[key], x)
	if i < 0 {
		return false
	}
	c.waiting[key] = slices.Delete(c.waiting[key], i, i+1)
	if len(c.waiting[key]) == 0 {
		delete(c.waiting, key)
	}
	return true
}

// named is 1 if an object is named by its uid. A uid belongs to the object that it is derived for, and not to one that is named so: only
// the name can have been chosen for the sake of the uid (docs/contributing/design.md, Identifiers).
func named(name, uid string) int {
	if name == uid {
		return 1
	}
	return 0
}

// byAge orders by age, because a chosen _id is later than the one that it repeats. Of two objects of the same second, metadata.uid decides,
// which nobody can choose.
func byAge(a, b *entry) int {
	return cmp.Or(a.Object.CreationTimestamp.Compare(b.Object.CreationTimestamp.Time), cmp.Compare(a.Object.UID, b.Object.UID))
}

// addUniqueKeys adds the unique keys of a namespace: uid and _id of articles, and uid of sites. An article is in the lists if it has both
// its keys, and a site is in the account's list if it has its key.
func (x *Index) addUniqueKeys(ns *namespace) {
	ns.ids = uniqueKeys[*entry]{
		holder:  func(id string) (*entry, bool) { return ns.trees.of(treeKey{}).Get(id) },
		compare: byAge, assign: ns.list, revoke: ns.unlist, waiting: map[string][]*entry{},
	}
	ns.articleUIDs = uniqueKeys[*entry]{
		holder:  func(uid string) (*entry, bool) { e, ok := ns.uids[uid]; return e, ok },
		compare: func(a, b *entry) int { return named(a.Object.Name, a.UID) - named(b.Object.Name, b.UID) },
		assign: func(e *entry) {
			ns.uids[e.UID] = e
			ns.ids.add(e.ID, e)
		},
		revoke: func(e *entry) {
			delete(ns.uids, e.UID)
			ns.ids.remove(e.ID, e)
		},
		waiting: map[string][]*entry{},
	}
	ns.sitesByUID = uniqueKeys[*Site]{
		holder:  func(uid string) (*Site, bool) { s, ok := ns.siteUIDs[uid]; return s, ok },
		compare: func(a, b *Site) int { return named(a.Object.Name, a.UID) - named(b.Object.Name, b.UID) },
		assign: func(s *Site) {
			ns.siteUIDs[s.UID] = s
			if a, ok := x.accounts[ns.workspace.Account]; ok {
				a.sites.Set(s.age(), s)
			}
		},
		revoke: func(s *Site) {
			delete(ns.siteUIDs, s.UID)
			if a, ok := x.accounts[ns.workspace.Account]; ok {
				a.sites.Delete(s.age())
			}
		},
		waiting: map[string][]*Site{},
	}
}
