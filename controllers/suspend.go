package controllers

import (
	"context"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// suspension returns what forbids to generate and to send for a site of a workspace, or nil.
func (b *Base) suspension(ctx context.Context, site *v1alpha1.Site) (*lifecycle.BlockedError, error) {
	name, err := b.account(ctx, site.Namespace)
	if err != nil || name == "" {
		return lifecycle.Suspension(site, nil, b.Suspend), err
	}
	account := &v1alpha1.Account{}
	err = b.Client.Get(ctx, types.NamespacedName{Name: name}, account, client.UnsafeDisableDeepCopy)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading the account: %w", err)
	}
	return lifecycle.Suspension(site, account, b.Suspend), nil
}

// unlessSuspended returns the step that was decided, or Suspended if a suspension forbids it. To a restored site even revisions are
// not added: its own may still be missing.
func (r *ArticleReconciler) unlessSuspended(ctx context.Context, t *task) (lifecycle.Step, error) {
	step := t.decision.Step
	if !lifecycle.HasEffect(step) && (step != lifecycle.MakeRevision || !v1alpha1.Restored(t.site)) {
		return step, nil
	}
	suspension, err := r.suspension(ctx, t.site)
	if err != nil || suspension == nil {
		return step, err
	}
	t.blockers = lifecycle.Blocks(step, suspension)
	return lifecycle.Suspended, nil
}

// waitSuspended writes what the article waits for. The watches of sites and accounts report the end of a suspension; the
// installation's ends with the process.
func (r *ArticleReconciler) waitSuspended(ctx context.Context, t *task) (progress, error) {
	return progress{}, t.save(ctx)
}

// unlessSuspended returns a *lifecycle.BlockedError if a suspension forbids the step of an event. An event about an article whose
// Site is suspended waits too.
func (r *EventDeliveryReconciler) unlessSuspended(ctx context.Context, d *v1alpha1.EventDelivery, step lifecycle.Step) error {
	if !lifecycle.HasEffect(step) {
		return nil
	}
	site, err := r.siteOf(ctx, d)
	if err != nil {
		return err
	}
	suspension, err := r.suspension(ctx, site)
	if err != nil || suspension == nil {
		return err
	}
	return suspension
}

// siteOf returns the Site of the article that an event is about. It has a namespace alone if there is none, as for a test event.
func (r *EventDeliveryReconciler) siteOf(ctx context.Context, d *v1alpha1.EventDelivery) (*v1alpha1.Site, error) {
	site := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace}}
	if d.Spec.ArticleRef.Name == "" {
		return site, nil
	}
	article := &v1alpha1.Article{}
	key := types.NamespacedName{Namespace: d.Namespace, Name: d.Spec.ArticleRef.Name}
	err := r.Client.Get(ctx, key, article, client.UnsafeDisableDeepCopy)
	if err == nil {
		key.Name = article.Spec.SiteRef.Name
		err = r.Client.Get(ctx, key, site, client.UnsafeDisableDeepCopy)
	}
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading the site of the event: %w", err)
	}
	return site, nil
}

// startUnlessSuspended starts a test of the connection. It returns a *lifecycle.BlockedError if a suspension forbids it.
func (r *SiteReconciler) startUnlessSuspended(ctx context.Context, s *siteSubject) (bool, error) {
	suspension, err := r.suspension(ctx, s.site)
	if err != nil {
		return false, err
	}
	if suspension != nil {
		return false, suspension
	}
	return r.Engine.Start(ctx, s)
}

// accountReady is the condition Ready of an account.
func accountReady(account *v1alpha1.Account) metav1.Condition {
	if v1alpha1.Restored(account) {
		return readyCondition(false, v1alpha1.ReasonUsageUnknown, usageUnknown(account))
	}
	if suspension := lifecycle.Suspension(nil, account, false); suspension != nil {
		return readyCondition(true, suspension.Reason, suspension.Message)
	}
	return readyCondition(true, v1alpha1.ReasonValid, "the account may be used")
}

// sitesOfAccount maps an account to the sites of its workspaces.
func (r *SiteReconciler) sitesOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	workspaces, err := r.workspaces(ctx, account.GetName())
	if err != nil {
		log.FromContext(ctx).Error(err, "listing workspaces")
	}
	var requests []ctrl.Request
	for i := range workspaces {
		requests = append(requests, r.requests(ctx, &v1alpha1.SiteList{}, client.InNamespace(workspaces[i].Name))...)
	}
	return requests
}

// suspendChanged passes the beginning and the end of an account's suspension.
func suspendChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.Account)
		account, is := e.ObjectNew.(*v1alpha1.Account)
		return !was || !is || old.Spec.Suspend != account.Spec.Suspend
	}}
}

// markSeen gives a site the annotation by which it is known again after a restore.
func (r *SiteReconciler) markSeen(ctx context.Context, site *v1alpha1.Site) error {
	if site.Annotations[v1alpha1.UIDAnnotation] != "" || !site.DeletionTimestamp.IsZero() {
		return nil
	}
	return r.annotate(ctx, site, func(annotations map[string]string) { annotations[v1alpha1.UIDAnnotation] = string(site.UID) })
}

// annotate changes annotations of an object. The status in memory stays.
func (b *Base) annotate(ctx context.Context, obj client.Object, change func(map[string]string)) error {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	old, ok := obj.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("%T is not an object", obj)
	}
	annotations := map[string]string{}
	maps.Copy(annotations, accessor.GetAnnotations())
	change(annotations)
	accessor.SetAnnotations(annotations)
	if err := b.Client.Patch(ctx, obj, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("annotating %T: %w", obj, err)
	}
	return nil
}
