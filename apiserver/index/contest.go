package index

import "slices"

// contest has the objects that another one keeps from a key, by that key, until the other one goes. Anyone who names objects with kubectl
// can cause that; on every replica the same object gets the key, in whatever order the events come.
type contest[T comparable] map[string][]T

// wait adds an object.
func (c contest[T]) wait(key string, x T) { c[key] = append(c[key], x) }

// leave removes an object, and reports whether it has waited.
func (c contest[T]) leave(key string, x T) bool {
	i := slices.Index(c[key], x)
	if i < 0 {
		return false
	}
	c[key] = slices.Delete(c[key], i, i+1)
	if len(c[key]) == 0 {
		delete(c, key)
	}
	return true
}

// next removes the object that comes before all others, if any waits.
func (c contest[T]) next(key string, before func(a, b T) bool) (first T, ok bool) {
	waiting := c[key]
	if len(waiting) == 0 {
		return first, false
	}
	first = waiting[0]
	for _, x := range waiting[1:] {
		if before(x, first) {
			first = x
		}
	}
	return first, c.leave(key, first)
}

// A uid belongs to the object that it is derived for, and not to one that is named so: only the name can have been chosen for the
// sake of the uid (design, section 1). derived reports that of one object.
func derived(name, uid string) bool { return name != uid }

func uidBefore(a, b *entry) bool {
	return derived(a.Object.Name, a.UID) && !derived(b.Object.Name, b.UID)
}

// idBefore is by age: an _id that somebody has chosen is later than the one that it repeats. Of two objects of the same second,
// metadata.uid decides, which nobody chooses.
func idBefore(a, b *entry) bool {
	if !a.Object.CreationTimestamp.Equal(&b.Object.CreationTimestamp) {
		return a.Object.CreationTimestamp.Before(&b.Object.CreationTimestamp)
	}
	return a.Object.UID < b.Object.UID
}

// file files an article under its uid and, if that is its own, under its _id.
func (ns *namespace) file(e *entry) {
	if holder, taken := ns.uids[e.UID]; taken {
		if !uidBefore(e, holder) {
			ns.withoutUID.wait(e.UID, e)
			return
		}
		ns.unfileID(holder)
		ns.withoutUID.wait(e.UID, holder)
	}
	ns.uids[e.UID] = e
	ns.fileID(e)
}

// unfile is the reverse of file. Anyone who has waited for the uid or the _id gets it.
func (ns *namespace) unfile(e *entry) {
	if ns.withoutUID.leave(e.UID, e) {
		return
	}
	delete(ns.uids, e.UID)
	ns.unfileID(e)
	if next, ok := ns.withoutUID.next(e.UID, uidBefore); ok {
		ns.file(next)
	}
}

func (ns *namespace) fileID(e *entry) {
	if holder, taken := ns.byID(e.ID); taken {
		if !idBefore(e, holder) {
			ns.withoutID.wait(e.ID, e)
			return
		}
		ns.unlist(holder)
		ns.withoutID.wait(e.ID, holder)
	}
	ns.list(e)
}

func (ns *namespace) unfileID(e *entry) {
	if ns.withoutID.leave(e.ID, e) {
		return
	}
	ns.unlist(e)
	if next, ok := ns.withoutID.next(e.ID, idBefore); ok {
		ns.fileID(next)
	}
}

// byID returns the article that is listed under an _id.
func (ns *namespace) byID(id string) (*entry, bool) {
	return ns.trees.of(treeKey{}).Get(id)
}
