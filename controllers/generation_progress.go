package controllers

import (
	"context"
	"sync"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// progressBoard holds the step that each attempt of this process is in.
type progressBoard struct {
	mu    sync.Mutex
	steps map[string][2]int32
}

func (p *progressBoard) set(id string, step, steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.steps == nil {
		p.steps = map[string][2]int32{}
	}
	p.steps[id] = [2]int32{percentBound(step), percentBound(steps)}
}

// percentBound keeps a count within the API's bounds.
func percentBound(n int) int32 { return int32(min(max(n, 0), 100)) }

func (p *progressBoard) get(id string) (step, steps int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.steps[id][0], p.steps[id][1]
}

func (p *progressBoard) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.steps, id)
}

// writeProgress writes the step of a running attempt, at most once a minute.
func (r *GenerationReconciler) writeProgress(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, id string) error {
	g := a.Status.Generation
	step, steps := r.progress.get(id)
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
