package controllers

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// DrainTimeout is how long a stopping controller takes at the most: the 30 seconds that a receiver has, with some more for a
// request that was about to be sent, and time to record. The pod's terminationGracePeriodSeconds must be longer.
const (
	DrainTimeout = drainWait + drainRecord
	drainWait    = 35 * time.Second
	drainRecord  = 5 * time.Second
)

// Drainer ends the work out of the process when the manager stops. Deliveries are waited for and recorded; runs of the
// generator, which take minutes, are cut off and recorded as interrupted, so that the next process takes them up at once.
type Drainer struct {
	Generation  *GenerationReconciler
	Publication *PublicationReconciler
	Events      *EventDeliveryReconciler
	Sites       *SiteReconciler
	// Wait is how long work is waited for, Record how much longer it may take to record what has ended.
	Wait, Record time.Duration
}

// NeedLeaderElection ties the drainer to the reconcilers that start the work.
func (d *Drainer) NeedLeaderElection() bool { return true }

// Start waits for the manager to stop, and then drains.
func (d *Drainer) Start(ctx context.Context) error {
	<-ctx.Done()
	record, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.Wait+d.Record)
	defer cancel()
	wait, stopWaiting := context.WithTimeout(record, d.Wait)
	defer stopWaiting()
	d.Publication.Deliveries.Close()
	d.Events.Deliveries.Close()
	d.Sites.Tests.Close()
	d.Generation.Runs.Close()
	d.Generation.Runs.CancelAll()
	recordAll(record, d.generation(), d.Generation.Runs.Drain(wait))
	recordAll(record, d.publication(), d.Publication.Deliveries.Drain(wait))
	recordAll(record, d.events(), d.Events.Deliveries.Drain(wait))
	recordAll(record, d.sites(), d.Sites.Tests.Drain(wait))
	return nil
}

// generation is the reconciler that records results without the cache.
func (d *Drainer) generation() *GenerationReconciler {
	g := d.Generation
	return &GenerationReconciler{
		Base: g.uncached(), Slugs: g.Slugs, Encoding: g.Encoding, Backends: g.Backends, Charger: g.Charger, Runs: g.Runs,
	}
}

// publication is the reconciler that records results without the cache.
func (d *Drainer) publication() *PublicationReconciler {
	p := d.Publication
	return &PublicationReconciler{Base: p.uncached(), Deliveries: p.Deliveries, HTTP: p.HTTP, RetryDelays: p.RetryDelays}
}

// events is the reconciler that records results without the cache.
func (d *Drainer) events() *EventDeliveryReconciler {
	e := d.Events
	return &EventDeliveryReconciler{Base: e.uncached(), Deliveries: e.Deliveries, HTTP: e.HTTP, RetryDelays: e.RetryDelays}
}

// sites is the reconciler that records results without the cache.
func (d *Drainer) sites() *SiteReconciler {
	s := d.Sites
	return &SiteReconciler{Base: s.uncached(), CheckURL: s.CheckURL, Tests: s.Tests, HTTP: s.HTTP}
}

// uncached reads from the API server: the cache may be behind what was just written.
func (b Base) uncached() Base {
	b.Client = liveReads{b.Client, b.Live}
	return b
}

// recordAll records results that came after the reconcilers had stopped. What cannot be recorded is found by the next
// process, as an attempt whose outcome is unknown.
func recordAll(ctx context.Context, r reconcile.Reconciler, keys []types.NamespacedName) {
	for _, key := range keys {
		if _, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: key}); err != nil {
			log.FromContext(ctx).Error(err, "recording an attempt while stopping", "object", key)
		}
	}
}

// liveReads is a client that does not read from the cache.
type liveReads struct {
	client.Client
	live client.Reader
}

// Get reads from the API server.
func (c liveReads) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return c.live.Get(ctx, key, obj, opts...)
}

// List reads from the API server.
func (c liveReads) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return c.live.List(ctx, list, opts...)
}
