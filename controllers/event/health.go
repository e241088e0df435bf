package event

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

// updateHealth records since when a subscription's receiver has failed, and suspends the subscription after 5 days. It writes only if
// that changes. It reads the subscription live, and again after a conflict: the cached copy may not show yet that the receiver has
// failed, and a recovery must not be lost.
func (r *DeliveryReconciler) updateHealth(ctx context.Context, d *v1alpha1.EventDelivery, cached *v1alpha1.EventSubscription) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return r.writeHealth(ctx, d, cached) })
	switch {
	case client.IgnoreNotFound(err) == nil:
		return nil
	case apierrors.IsConflict(err):
		// The error is no conflict, because the delivery itself was not stale: a conflict would end its reconcile without another one.
		return errors.New("the subscription changes all the time: its receiver's health cannot be written")
	default:
		return fmt.Errorf("recording the receiver's health: %w", err)
	}
}

func (r *DeliveryReconciler) writeHealth(ctx context.Context, d *v1alpha1.EventDelivery, cached *v1alpha1.EventSubscription) error {
	s := &v1alpha1.EventSubscription{}
	if err := r.Live.Get(ctx, client.ObjectKeyFromObject(cached), s); err != nil {
		return err
	}
	stored := s.DeepCopy()
	if s.UID != cached.UID || !eventdelivery.RecordHealth(s, &d.Status.DeliveryRecord, r.Clock.Now()) {
		return nil
	}
	if err := r.WriteStatus(ctx, stored, s); err != nil {
		return err
	}
	if stored.Status.Suspension == nil && s.Status.Suspension != nil {
		r.Recorder.Eventf(s, nil, corev1.EventTypeWarning, v1alpha1.ReasonSuspended, "Deliver", "%s",
			"the receiver has failed for 5 days: events wait for an edit")
	}
	return nil
}

// unlessSuspended returns a *lifecycle.BlockedError if a suspension forbids the step of an event. An event about an article whose Site
// is suspended waits as well.
func (r *DeliveryReconciler) unlessSuspended(ctx context.Context, d *v1alpha1.EventDelivery, step lifecycle.Step) error {
	if !lifecycle.HasEffect(step) {
		return nil
	}
	site, err := siteOf(ctx, &r.Base, types.NamespacedName{Namespace: d.Namespace, Name: d.Spec.SiteRef.Name})
	if err != nil {
		return err
	}
	suspension, err := r.Suspension(ctx, site)
	if err != nil || suspension == nil {
		return err
	}
	suspension.RetryAfter = max(eventdelivery.Expiry(d).Sub(r.Clock.Now()), time.Millisecond)
	return suspension
}

// siteOf returns the Site of an event. If there is none, as for a test event, which names none, it returns a Site with a namespace only.
func siteOf(ctx context.Context, b *base.Base, key types.NamespacedName) (*v1alpha1.Site, error) {
	none := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace}}
	if key.Name == "" {
		return none, nil
	}
	site, err := base.Read[v1alpha1.Site](ctx, b.Client, key, client.UnsafeDisableDeepCopy)
	return cmp.Or(site, none), err
}
