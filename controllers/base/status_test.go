package base

import (
	"errors"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
)

// An article whose revision somebody else had just written, or whose quota was being counted, stayed as it was until its next event.
func TestAConflictThatNoWatchReportsIsTriedAgain(t *testing.T) {
	conflict := func(resource string) error {
		return apierrors.NewConflict(schema.GroupResource{Resource: resource}, "shoes", errors.New("the object has been modified"))
	}
	later := ctrl.Result{RequeueAfter: time.Hour}
	for name, tt := range map[string]struct {
		err  error
		want ctrl.Result
	}{
		"of the object itself":           {fmt.Errorf("writing the status: %w", stale(conflict("articles"))), ctrl.Result{}},
		"of an object that is watched":   {CacheBehind("sites", "acme"), ctrl.Result{}},
		"of a revision":                  {fmt.Errorf("adopting the revision: %w", conflict("articlerevisions")), ctrl.Result{RequeueAfter: conflictWait}},
		"of a quota":                     {fmt.Errorf("creating the revision: %w", conflict("resourcequotas")), ctrl.Result{RequeueAfter: conflictWait}},
		"none, since the object is gone": {fmt.Errorf("%w: gone", ErrDeleted), ctrl.Result{}},
		"none":                           {nil, later},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Finish(later, tt.err, nil)
			if got != tt.want || err != nil {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}
