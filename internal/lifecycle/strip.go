package lifecycle

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unique"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// stripManager is the manager of the first managed fields entry of a stripped article, which has the time of the last write. Another one
// follows if ContentManager knows a manager. kube-apiserver never returns an entry without an operation, and refuses one, so a stripped
// article cannot be written back by accident.
const stripManager = "pressroom-cache"

// The managers of the fields of articles that the facade writes: in the name of people, and for those who have an editor open.
const (
	FacadeManager   = "pressroom-apiserver"
	PresenceManager = "pressroom-presence"
)

// Strip makes an article small for a cache. It removes what no decision needs: the author's body and FAQ, and what StripMetadata removes.
// All functions of this package give the same answers for a stripped article. Only its status may be patched, and the author's text must
// be read live.
func Strip(a *v1alpha1.Article) {
	if Stripped(a) {
		return
	}
	updated, manager := metav1.NewTime(UpdatedAt(a)), ContentManager(a)
	StripMetadata(a)
	a.OwnerReferences, a.ManagedFields = nil, []metav1.ManagedFieldsEntry{{Manager: stripManager, Time: &updated}}
	if manager != "" {
		a.ManagedFields = append(a.ManagedFields, metav1.ManagedFieldsEntry{Manager: interned(manager)})
	}
	internStrings(a)
	c := a.Spec.Content
	if c == nil || c.Markdown == "" && len(c.FAQ) == 0 {
		return
	}
	hash, size := measure(c)
	if r := a.Status.Revision; r != nil && r.ContentHash == hash {
		hash = r.ContentHash // one string takes less memory than two
	}
	c.Cached = &v1alpha1.CachedContent{Hash: hash, Bytes: size, HasBody: c.Markdown != ""}
	c.Markdown, c.FAQ = "", nil
}

// ownPrefix begins the names of the annotations and labels that the programs read.
const ownPrefix = "pressroom.dev/"

// maxAnnotations bounds the annotations that a cache keeps of an object. There are fewer.
const maxAnnotations = 24

// StripObject is Strip of an article, and StripMetadata of another object, as the transform of a cache.
func StripObject(o any) (any, error) {
	if a, ok := o.(*v1alpha1.Article); ok {
		Strip(a)
	} else if object, err := meta.Accessor(o); err == nil {
		StripMetadata(object)
	}
	return o, nil
}

// StripMetadata bounds the metadata of an object for a cache: people may write a megabyte of annotations, labels, owners and finalizers
// to each object. It keeps annotations and labels of the programs, and a few owners. A value that is longer than a
// nonce is replaced by its hash, as in status.
func StripMetadata(o metav1.Object) {
	o.SetManagedFields(nil)
	o.SetFinalizers(nil)
	o.SetLabels(ownOf(o.GetLabels()))
	annotations := ownOf(o.GetAnnotations())
	for name := range annotations {
		annotations[name] = command.Nonce(o, name)
	}
	o.SetAnnotations(annotations)
	owners := slices.DeleteFunc(slices.Clone(o.GetOwnerReferences()), func(owner metav1.OwnerReference) bool {
		return len(owner.APIVersion)+len(owner.Kind)+len(owner.Name)+len(owner.UID) > maxOwnerBytes
	})
	o.SetOwnerReferences(slices.Clone(owners[:min(len(owners), maxOwners)]))
}

const (
	// maxOwners bounds the owners that a cache keeps of an object. The programs set one.
	maxOwners = 4
	// maxOwnerBytes is longer than any owner that the programs set.
	maxOwnerBytes = 512
)

// ownOf returns those of the annotations or labels that the programs may read; nil if there are none.
func ownOf(all map[string]string) map[string]string {
	var own map[string]string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(name, ownPrefix) && len(own) < maxAnnotations {
			if own == nil {
				own = map[string]string{}
			}
			own[name] = all[name]
		}
	}
	return own
}

// Stripped reports whether Strip has been called on the article since it was read.
func Stripped(a *v1alpha1.Article) bool {
	return len(a.ManagedFields) > 0 && a.ManagedFields[0].Manager == stripManager && a.ManagedFields[0].Operation == ""
}

// UpdatedAt returns when an article was last written, in whole seconds: metadata.managedFields has a time for each manager. Who has an
// editor open writes nothing of the article. UpdatedAt holds for stripped articles too.
func UpdatedAt(a *v1alpha1.Article) time.Time {
	updated := a.CreationTimestamp.Time
	for _, m := range a.ManagedFields {
		if m.Manager != PresenceManager && m.Time != nil && m.Time.After(updated) {
			updated = m.Time.Time
		}
	}
	return updated
}

// ContentManager returns the field manager that wrote spec.content last, such as kubectl-edit; "" if that is the facade, or not known. It
// holds for stripped articles too.
func ContentManager(a *v1alpha1.Article) string {
	if Stripped(a) {
		if len(a.ManagedFields) == 1 {
			return ""
		}
		return a.ManagedFields[1].Manager
	}
	last := metav1.ManagedFieldsEntry{Manager: FacadeManager}
	for _, m := range a.ManagedFields {
		writes := m.Subresource == "" && m.FieldsV1 != nil && strings.Contains(m.FieldsV1.GetRawString(), `"f:content":`)
		if writes && (last.Time == nil || m.Time != nil && m.Time.After(last.Time.Time)) {
			last = m
		}
	}
	if last.Manager == FacadeManager {
		return ""
	}
	return last.Manager
}

// WithoutText reports whether Strip has taken the author's body or FAQ out.
func WithoutText(c *v1alpha1.ArticleContent) bool { return c != nil && c.Cached != nil }

// TextBytes returns the size, in bytes of JSON, of what the author of an article has written, even if Strip has removed it.
func TextBytes(a *v1alpha1.Article) int64 {
	switch c := a.Spec.Content; {
	case c == nil:
		return 0
	case WithoutText(c):
		return c.Cached.Bytes
	default:
		_, n := measure(c)
		return n
	}
}

// StoredTextBytes is TextBytes with the revisions that are kept of what authors have written: etcd has each of them beside the article.
func StoredTextBytes(a *v1alpha1.Article) int64 {
	const kib = 1 << 10
	bytes := TextBytes(a)
	for _, size := range a.Status.RevisionKiB {
		bytes += int64(size) * kib
	}
	return bytes
}

// internStrings makes the articles in a cache share one copy of each string that most of them repeat, such as the reasons and messages
// of conditions. It also removes the spare capacity of lists.
func internStrings(a *v1alpha1.Article) {
	a.Namespace, a.Spec.SiteRef.Name = interned(a.Namespace), interned(a.Spec.SiteRef.Name)
	a.Spec.Stage, a.Status.Phase = interned(a.Spec.Stage), interned(a.Status.Phase)
	if r := a.Status.Revision; r != nil {
		r.Source = interned(r.Source)
	}
	a.Status.Conditions = slices.Clone(a.Status.Conditions)
	for i := range a.Status.Conditions {
		c := &a.Status.Conditions[i]
		c.Type, c.Status, c.Reason, c.Message = interned(c.Type), interned(c.Status), interned(c.Reason), interned(c.Message)
	}
	a.Status.Transitions = slices.Clone(a.Status.Transitions)
	for i := range a.Status.Transitions {
		t := &a.Status.Transitions[i]
		t.Type, t.Dispatch, t.By = interned(t.Type), interned(t.Dispatch), interned(t.By)
	}
}

// interned returns the one copy of a string.
func interned[S ~string](s S) S { return unique.Make(s).Value() }
