package controllers

import (
	"context"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// percentBound keeps a count within the API's bounds.
func percentBound(n int) int32 { return int32(min(max(n, 0), 100)) }

// writeProgress writes the step of a running attempt, at most once a minute.
func (r *GenerationReconciler) writeProgress(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, soFar RunResult) error {
	g := a.Status.Generation
	step, steps := percentBound(soFar.Step), percentBound(soFar.Steps)
	last := g.StartedAt.Time
	if g.ProgressAt != nil {
		last = g.ProgressAt.Time
	}
	if step == g.Step && steps == g.Steps || r.Clock.Since(last) < progressInterval-time.Millisecond {
		return nil
	}
	old, now := a.DeepCopy(), r.now()
	g.Step, g.Steps, g.ProgressAt = step, steps, &now
	return r.save(ctx, old, a, site, lifecycle.Obstacles{})
}
