package event

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// SiteReconciler makes an EventDelivery for each subscription that wants to know that deliveries to a site fail.
type SiteReconciler struct{ *OutboxReconciler }

// siteEventTime is how long after deliveries to a site began to fail the event may be made. Its deliveries are kept for longer, so that
// each is made once.
const siteEventTime = time.Hour

// Reconcile makes the deliveries. The time of the event is that of the condition.
func (r *SiteReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	site := &v1alpha1.Site{}
	if err := r.Client.Get(ctx, req.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	failing := deliveriesFail(site)
	if failing == nil || r.Clock.Since(failing.LastTransitionTime.Time) > siteEventTime {
		return ctrl.Result{}, nil
	}
	subscriptions, may, err := r.recipients(ctx, site.Namespace)
	if err != nil {
		return ctrl.Result{}, err
	}
	wait := time.Duration(0)
	for i := range subscriptions {
		s := &subscriptions[i]
		if !receives(s, v1alpha1.EventSiteFailing, site.Name, failing.LastTransitionTime.Time) {
			continue
		}
		d, err := r.deliveryOf(site, failing, s)
		if err != nil {
			return ctrl.Result{}, err
		}
		made, err := r.create(ctx, may, s, d)
		if err != nil {
			return base.IgnoreConflict(ctrl.Result{}, err)
		}
		switch made {
		case refusedSome:
			wait = max(r.RefusedWait(), may.wait())
		case notYet:
			return ctrl.Result{RequeueAfter: may.wait()}, nil
		}
	}
	return ctrl.Result{RequeueAfter: wait}, nil
}

// deliveryOf returns the delivery to a subscription. Its name is derived from when the condition became False.
func (r *SiteReconciler) deliveryOf(
	site *v1alpha1.Site, failing *metav1.Condition, s *v1alpha1.EventSubscription,
) (*v1alpha1.EventDelivery, error) {
	kind, at := lifecycle.EventKindOf(v1alpha1.EventSiteFailing), failing.LastTransitionTime.Time
	data := eventhook.SiteData{
		SiteUID: identity.UID(identity.KindSite, site.Namespace, site.Name), Name: siteName(site), Domain: site.Spec.Domain,
		Message: failing.Message, WorkspaceID: site.Namespace,
	}
	body, err := eventhook.Encode(s.Spec.Format, eventhook.SiteEvent{Type: kind.Name, Timestamp: eventhook.Time(at), Data: data},
		eventhook.Notice{
			Summary: kind.Summary, Subject: data.Name, Details: []string{data.Message},
			Link: eventhook.Page(r.AppURL, site.Namespace, "sites", data.SiteUID),
		})
	name := identity.EventID(string(s.UID), string(site.UID), string(kind.Type), "", at)
	return newDelivery(s, name, v1alpha1.EventDeliverySpec{
		SiteRef: v1alpha1.LocalReference{Name: site.Name}, Type: kind.Type, Time: v1alpha1.NewMicroTime(at), Body: string(body),
	}), err
}

// deliveriesFail returns the condition Delivering of a site if it is False.
func deliveriesFail(site *v1alpha1.Site) *metav1.Condition {
	c := meta.FindStatusCondition(site.Status.Conditions, v1alpha1.ConditionDelivering)
	if c == nil || c.Status != metav1.ConditionFalse {
		return nil
	}
	return c
}

// SetupWithManager registers the controller.
func (r *SiteReconciler) SetupWithManager(mgr ctrl.Manager) error {
	failing := base.Only(func(site *v1alpha1.Site) bool { return deliveriesFail(site) != nil })
	return r.NewController(mgr, "siteevent", 1).
		For(&v1alpha1.Site{}, failing).
		Complete(r)
}
