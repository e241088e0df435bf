package lifecycle

import (
	"slices"
	"unique"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// share gives an article that a cache holds the same copy as others have of the strings that most articles repeat, such as the reasons
// and messages of conditions, and lists without spare capacity.
func share(a *v1alpha1.Article) {
	a.Namespace, a.Spec.SiteRef.Name = shared(a.Namespace), shared(a.Spec.SiteRef.Name)
	a.Spec.Stage, a.Status.Phase = shared(a.Spec.Stage), shared(a.Status.Phase)
	if r := a.Status.Revision; r != nil {
		r.Source = shared(r.Source)
	}
	a.Status.Conditions = slices.Clone(a.Status.Conditions)
	for i := range a.Status.Conditions {
		c := &a.Status.Conditions[i]
		c.Type, c.Status, c.Reason, c.Message = shared(c.Type), shared(c.Status), shared(c.Reason), shared(c.Message)
	}
	a.Status.Transitions = slices.Clone(a.Status.Transitions)
	for i := range a.Status.Transitions {
		t := &a.Status.Transitions[i]
		t.Type, t.By = shared(t.Type), shared(t.By)
	}
}

// shared returns the copy of a string that all callers have got since the last garbage collection.
func shared[S ~string](s S) S { return unique.Make(s).Value() }
