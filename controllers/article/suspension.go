package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// unlessSuspended returns the step that was decided, or Suspended if a suspension forbids it. To a restored site even revisions are
// not added: its own may still be missing.
func (r *Reconciler) unlessSuspended(ctx context.Context, t *task) (lifecycle.Step, error) {
	step := t.decision.Step
	if !lifecycle.HasEffect(step) && (step != lifecycle.MakeRevision || !v1alpha1.Restored(t.site)) {
		return step, nil
	}
	suspension, err := r.Suspension(ctx, t.site)
	if err != nil || suspension == nil {
		return step, err
	}
	t.blockers = lifecycle.Blocks(step, suspension)
	return lifecycle.Suspended, nil
}

// waitSuspended writes what the article waits for. The watches of sites and accounts report the end of a suspension; the
// installation's ends with the process.
func (r *Reconciler) waitSuspended(ctx context.Context, t *task) (progress, error) {
	return progress{}, t.save(ctx)
}
