package controllers

import (
	"context"

	"github.com/google/uuid"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// test makes the one request that a nonce asks for. It is written ahead as every request is. What it lacks is told at once,
// rather than waited for: nobody expects a test hours later.
func (r *SiteReconciler) test(ctx context.Context, old, site *v1alpha1.Site, tester publish.Tester) error {
	connection := connectors.For(site).Connection(site)
	slot := r.Tests.Acquire(client.ObjectKeyFromObject(site), connection.Host)
	if slot == nil {
		return r.saveSite(ctx, old, site) // It is notified when there is a place. Waiting for one is not written.
	}
	defer slot.Release()
	target, missing, err := r.connect(ctx, r.HTTP, site, connection)
	if err != nil {
		return err
	}
	by := lifecycle.Sender{ID: uuid.NewString(), Holder: r.Holder}
	lifecycle.BeginTest(site, connection.SettingsHash(), by, r.Clock.Now())
	if missing.Reason != "" {
		return r.endTest(ctx, old, site, lifecycle.NotSent(missing))
	}
	if err := r.saveSite(ctx, old, site); err != nil {
		return err
	}
	nonce := site.Status.ConnectionTest.Nonce
	ctx, finish := connectionTestSpan(ctx, site)
	slot.Go(ctx, by.ID, func(ctx context.Context) publish.Outcome { return finish(tester.Test(ctx, target, nonce)) })
	return nil
}

// follow looks after a test that status says is on the wire. One whose process ended has an outcome that nobody knows: it is
// not sent again.
func (r *SiteReconciler) follow(ctx context.Context, old, site *v1alpha1.Site) error {
	outcome, state := r.Tests.Look(site.Status.ConnectionTest.ID)
	end := lifecycle.Interrupted()
	switch state {
	case inflight.Running:
		return r.saveSite(ctx, old, site)
	case inflight.Done:
		end = ended(outcome)
	}
	return r.endTest(ctx, old, site, end)
}

// endTest records how a test ended, and counts it once that is written.
func (r *SiteReconciler) endTest(ctx context.Context, old, site *v1alpha1.Site, e lifecycle.Ended) error {
	lifecycle.EndTest(site, e)
	if err := r.saveSite(ctx, old, site); err != nil {
		return err
	}
	testsTotal.WithLabelValues(string(e.Outcome)).Inc()
	testSeconds.Observe(float64(e.Milliseconds) / 1000)
	return nil
}
