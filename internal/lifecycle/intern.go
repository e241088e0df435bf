package lifecycle

import (
	"slices"
	"unique"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

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
		t.Type, t.By = interned(t.Type), interned(t.By)
	}
}

// interned returns the one copy of a string.
func interned[S ~string](s S) S { return unique.Make(s).Value() }
