package index

import (
	"cmp"
	"slices"
)

// contest decides which of several objects has a key. The others wait until that one goes. Anyone who names objects with kubectl can cause
// that; on every replica the same object gets the key, in whatever order the events come.
type contest[T comparable] struct {
	// holder returns the object that has a key.
	holder func(key string) (T, bool)
	// order is below zero if a gets a key that b has.
	order func(a, b T) int
	// take gives an object its key, and lose takes it away.
	take, lose func(T)
	// waiting are the other objects, by key.
	waiting map[string][]T
}

// enter gives an object a key, unless it has to wait for it.
func (c *contest[T]) enter(key string, x T) {
	if holder, taken := c.holder(key); taken {
		if c.order(x, holder) >= 0 {
			c.waiting[key] = append(c.waiting[key], x)
			return
		}
		c.lose(holder)
		c.waiting[key] = append(c.waiting[key], holder)
	}
	c.take(x)
}

// leave is the reverse of enter. If the object has the key, the first one of those that wait gets it.
func (c *contest[T]) leave(key string, x T) {
	if c.stopWaiting(key, x) {
		return
	}
	c.lose(x)
	if waiting := c.waiting[key]; len(waiting) > 0 {
		first := slices.MinFunc(waiting, c.order)
		c.stopWaiting(key, first)
		c.take(first)
	}
}

// stopWaiting reports whether an object has waited for a key.
func (c *contest[T]) stopWaiting(key string, x T) bool {
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

// byAge orders by age: an _id that somebody has chosen is later than the one that it repeats. Of two objects of the same second,
// metadata.uid decides, which nobody chooses.
func byAge(a, b *entry) int {
	return cmp.Or(a.Object.CreationTimestamp.Compare(b.Object.CreationTimestamp.Time), cmp.Compare(a.Object.UID, b.Object.UID))
}

// addContests adds who has which uid and which _id in a namespace. An article is in the lists if it has both, and a site in the account's
// list if it has its uid.
func (x *Index) addContests(ns *namespace) {
	ns.ids = contest[*entry]{
		holder: func(id string) (*entry, bool) { return ns.trees.of(treeKey{}).Get(id) },
		order:  byAge, take: ns.list, lose: ns.unlist, waiting: map[string][]*entry{},
	}
	ns.articleUIDs = contest[*entry]{
		holder: func(uid string) (*entry, bool) { e, ok := ns.uids[uid]; return e, ok },
		order:  func(a, b *entry) int { return named(a.Object.Name, a.UID) - named(b.Object.Name, b.UID) },
		take: func(e *entry) {
			ns.uids[e.UID] = e
			ns.ids.enter(e.ID, e)
		},
		lose: func(e *entry) {
			delete(ns.uids, e.UID)
			ns.ids.leave(e.ID, e)
		},
		waiting: map[string][]*entry{},
	}
	ns.sitesByUID = contest[*Site]{
		holder: func(uid string) (*Site, bool) { s, ok := ns.siteUIDs[uid]; return s, ok },
		order:  func(a, b *Site) int { return named(a.Object.Name, a.UID) - named(b.Object.Name, b.UID) },
		take: func(s *Site) {
			ns.siteUIDs[s.UID] = s
			if a, ok := x.accounts[ns.workspace.Account]; ok {
				a.sites.Set(s.age(), s)
			}
		},
		lose: func(s *Site) {
			delete(ns.siteUIDs, s.UID)
			if a, ok := x.accounts[ns.workspace.Account]; ok {
				a.sites.Delete(s.age())
			}
		},
		waiting: map[string][]*Site{},
	}
}
