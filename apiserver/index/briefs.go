package index

import (
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Brief is what the index has of a brief: not its texts, which are read live.
type Brief struct {
	// Name of the object.
	Name string
	// UID of the brief, as the REST API names it.
	UID string
	// Created is when it was created.
	Created time.Time

	object types.UID
}

func (b *Brief) name() string { return b.Name }

func (b *Brief) uid() string { return b.UID }

// Briefs returns the briefs of a workspace by name.
func (x *Index) Briefs(workspace string) []Brief {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []Brief
	for b := range maps.Values(x.view(workspace).briefs.byName) {
		all = append(all, *b)
	}
	slices.SortFunc(all, func(a, b Brief) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Brief returns the brief with a uid.
func (x *Index) Brief(workspace, uid string) (Brief, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	b, ok := x.view(workspace).briefs.get(uid)
	if !ok {
		return Brief{}, false
	}
	return *b, true
}

// HasBrief reports whether Usage has the brief of a name.
func (x *Index) HasBrief(workspace, name string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.view(workspace).briefs.byName[name] != nil
}

func (x *Index) applyBrief(ns *namespace, m *metav1.PartialObjectMetadata) {
	b := &Brief{
		Name: m.Name, UID: identity.UID(identity.KindBrief, m.Namespace, m.Name), Created: m.CreationTimestamp.Time, object: m.UID,
	}
	if m.DeletionTimestamp.IsZero() {
		ns.briefs.add(b)
	} else {
		ns.briefs.remove(b)
	}
}

func (x *Index) deleteBrief(ns *namespace, m *metav1.PartialObjectMetadata) {
	// Another metadata.uid is a later brief of the same name.
	if b := ns.briefs.byName[m.Name]; b != nil && b.object == m.UID {
		ns.briefs.remove(b)
	}
}
