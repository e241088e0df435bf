package index

// object is what the index has of a Site or an Article.
type object interface {
	// name of the object, and its uid over REST.
	name() string
	uid() string
}

// objects are the objects of one kind in a namespace.
type objects[T object] struct {
	byName map[string]T
	// byDerivedUID has those whose uid is not their name.
	byDerivedUID map[string]T
}

func newObjects[T object]() objects[T] { return objects[T]{map[string]T{}, map[string]T{}} }

func (o objects[T]) add(x T) {
	o.byName[x.name()] = x
	if x.uid() != x.name() {
		o.byDerivedUID[x.uid()] = x
	}
}

func (o objects[T]) remove(x T) {
	delete(o.byName, x.name())
	if x.uid() != x.name() {
		delete(o.byDerivedUID, x.uid())
	}
}

// get returns the object with a uid. A uid belongs to the object that it is derived for, and not to one that is named so: only the name
// can have been chosen for the sake of the uid (docs/contributing/design.md, Identifiers).
func (o objects[T]) get(uid string) (T, bool) {
	if x, ok := o.byDerivedUID[uid]; ok {
		return x, true
	}
	x, ok := o.byName[uid]
	return x, ok && x.uid() == uid
}
