package event

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// unlessSuspended returns a *lifecycle.BlockedError if a suspension forbids the step of an event. An event about an article whose Site
// is suspended waits as well.
func (r *DeliveryReconciler) unlessSuspended(ctx context.Context, d *v1alpha1.EventDelivery, step lifecycle.Step) error {
	if !lifecycle.HasEffect(step) {
		return nil
	}
	site, err := r.siteOf(ctx, d)
	if err != nil {
		return err
	}
	suspension, err := r.Suspension(ctx, site)
	if err != nil || suspension == nil {
		return err
	}
	return suspension
}

// siteOf returns the Site of an event's article. If there is none, as for a test event, it returns a Site with a namespace only.
func (r *DeliveryReconciler) siteOf(ctx context.Context, d *v1alpha1.EventDelivery) (*v1alpha1.Site, error) {
	site := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace}}
	if d.Spec.SiteRef.Name == "" {
		return site, nil
	}
	key := types.NamespacedName{Namespace: d.Namespace, Name: d.Spec.SiteRef.Name}
	err := r.Client.Get(ctx, key, site, client.UnsafeDisableDeepCopy)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading the site of the event: %w", err)
	}
	return site, nil
}
