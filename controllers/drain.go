package controllers

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/controllers/account"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/controllers/site"
)

// DrainTimeout is the longest time that a controller takes to stop: 30 seconds in which a receiver may answer, some more for a request
// that was about to be sent, and time to record. The pod's terminationGracePeriodSeconds must be longer.
const (
	DrainTimeout = drainWait + drainRecord
	drainWait    = 35 * time.Second
	drainRecord  = 5 * time.Second
)

// Drainer ends the calls in progress when the manager stops. It waits for deliveries and records them. Runs of the generator, which
// take minutes, are cancelled and recorded as stopped, so that the next process makes the same attempt again at once. Their tokens, and all
// others that the ledgers do not have yet, are written.
type Drainer struct {
	Articles *article.Reconciler
	Events   *event.DeliveryReconciler
	Sites    *site.Reconciler
	Accounts *account.Reconciler
	// Wait bounds how long calls are waited for. Record bounds how long it may take after that to record those that have ended.
	Wait, Record time.Duration
}

// NeedLeaderElection ties the drainer to the reconcilers that start the calls.
func (d *Drainer) NeedLeaderElection() bool { return true }

// Start waits for the manager to stop, and then drains.
func (d *Drainer) Start(ctx context.Context) error {
	<-ctx.Done()
	record, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.Wait+d.Record)
	defer cancel()
	wait, stopWaiting := context.WithTimeout(record, d.Wait)
	defer stopWaiting()
	runs, publications := d.Articles.Generation.Engine.Calls, d.Articles.Publication.Engine.Calls
	publications.Close()
	d.Events.Engine.Calls.Close()
	d.Sites.Engine.Calls.Close()
	runs.Close()
	runs.CancelAll()
	record = base.Uncached(record)
	recordAll(record, d.Articles, runs.Drain(wait))
	d.Accounts.Flush(record)
	recordAll(record, d.Articles, publications.Drain(wait))
	recordAll(record, d.Events, d.Events.Engine.Calls.Drain(wait))
	recordAll(record, d.Sites, d.Sites.Engine.Calls.Drain(wait))
	return nil
}

// recordAll records results that came after the controllers had stopped. An attempt whose result cannot be recorded has an unknown
// outcome for the next process.
func recordAll(ctx context.Context, r reconcile.Reconciler, keys []types.NamespacedName) {
	for _, key := range keys {
		if _, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: key}); err != nil {
			log.FromContext(ctx).Error(err, "recording an attempt while stopping", "object", key)
		}
	}
}
