package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// unlessSuspended returns the step that was decided, or Suspended if a suspension forbids it. An article of a restored site does not
// even get new revisions, because its own may not be restored yet.
func (r *Reconciler) unlessSuspended(ctx context.Context, t *task) (lifecycle.Step, error) {
	step := t.decision.Step
	if !lifecycle.HasEffect(step) && (step != lifecycle.MakeRevision || !t.site.Restored()) {
		return step, nil
	}
	suspension, err := r.Suspension(ctx, t.site)
	if err != nil || suspension == nil {
		return step, err
	}
	t.blockers = lifecycle.Blocks(step, suspension)
	return lifecycle.Suspended, nil
}

// waitSuspended writes the suspension into the conditions. The watches of sites and accounts report the end of a suspension; that of
// the installation ends when the process does.
func (r *Reconciler) waitSuspended(ctx context.Context, t *task) (progress, error) {
	return progress{}, t.save(ctx)
}
