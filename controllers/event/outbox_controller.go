// Package event delivers events about articles to subscribers. The OutboxReconciler makes an EventDelivery of each event for each
// subscription that wants it, the DeliveryReconciler sends it, and the SubscriptionStatusReconciler maintains the conditions
// of subscriptions.
package event

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

const (
	// maxDispatched is the largest number of deliveries that one reconcile makes. The next reconcile makes the others.
	maxDispatched = 16
	// outboxWorkers is how many articles are dispatched at once.
	outboxWorkers = 4
)

// OutboxReconciler makes an EventDelivery for each pending transition in an article's outbox and each subscription that wants it.
// SiteReconciler does so for the events of sites.
type OutboxReconciler struct {
	base.Base
	// AppURL is the address of the dashboard, which messages in chats link to; empty if it is not known.
	AppURL string

	// memory ends with the process.
	memory memory
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=eventsubscriptions,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=eventdeliveries,verbs=get;list;watch;create;delete

// Reconcile dispatches the pending events. The name of a delivery is derived from its event and subscription, so that a repeated
// dispatch makes it once.
func (r *OutboxReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	article := &v1alpha1.Article{}
	if err := r.Client.Get(ctx, req.NamespacedName, article); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return r.dispatchAll(ctx, article)
}

// dispatchAll dispatches the pending events of an article, as many as one reconcile may.
func (r *OutboxReconciler) dispatchAll(ctx context.Context, article *v1alpha1.Article) (ctrl.Result, error) {
	subscriptions, may, err := r.recipients(ctx, article.Namespace)
	if err != nil {
		return ctrl.Result{}, err
	}
	old, wait := article.DeepCopy(), time.Duration(0)
	for i := range article.Status.Transitions {
		event := &article.Status.Transitions[i]
		if event.Dispatch != v1alpha1.DispatchPending {
			continue
		}
		made, err := r.dispatch(ctx, article, *event, subscriptions, may)
		if err != nil {
			return base.IgnoreConflict(ctrl.Result{}, err)
		}
		switch made {
		case all:
			event.Dispatch = v1alpha1.DispatchDone
		case refusedSome:
			wait = max(r.RefusedWait(), may.wait())
		default:
			return ctrl.Result{RequeueAfter: may.wait()}, nil
		}
	}
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: wait}, r.WriteStatus(ctx, old, article))
}

// made says which deliveries of an event there are.
type made int

const (
	// all are created.
	all made = iota
	// refusedSome means that kube-apiserver refuses some, and that the others are created.
	refusedSome
	// notYet means that no more may be created now.
	notYet
)

// recipients returns the subscriptions of a workspace, and how many deliveries may be made for them now.
func (r *OutboxReconciler) recipients(ctx context.Context, namespace string) ([]v1alpha1.EventSubscription, *allowance, error) {
	subscriptions, err := r.Subscriptions(ctx, namespace)
	if err != nil {
		return nil, nil, err
	}
	account, err := r.Account(ctx, namespace)
	if err != nil {
		return nil, nil, err
	}
	return subscriptions, r.allow(cmp.Or(account, namespace)), nil
}

// dispatch makes those deliveries of an event that are not in the cache, as many as may be made.
func (r *OutboxReconciler) dispatch(
	ctx context.Context, a *v1alpha1.Article, e v1alpha1.ArticleTransition, subscriptions []v1alpha1.EventSubscription, may *allowance,
) (made, error) {
	body := eventBody(a, e)
	notice, err := r.noticeOf(ctx, a, lifecycle.EventKindOf(e.Type).Summary, body.Data)
	if err != nil {
		return notYet, err
	}
	about := identity.RevisionName(a.Name, string(a.UID), e.RevisionNumber)
	ctx, span := base.ArticleSpan(ctx, a, "event", trace.SpanKindProducer,
		tracing.EventType.String(string(e.Type)), tracing.Revision.String(revision.Name(a, e.RevisionNumber)))
	defer span.End()
	result := all
	for i := range subscriptions {
		s := &subscriptions[i]
		if !receives(s, e.Type, a.Spec.SiteRef.Name, e.Time.Time) {
			continue
		}
		name := identity.EventID(string(s.UID), string(a.UID), string(e.Type), about, e.Time.Time)
		sent, err := eventhook.Encode(s.Spec.Format, body, notice)
		if err != nil {
			return notYet, err
		}
		made, err := r.create(ctx, may, s, newDelivery(s, name, v1alpha1.EventDeliverySpec{
			ArticleRef: v1alpha1.LocalReference{Name: a.Name}, SiteRef: a.Spec.SiteRef, Type: e.Type, Time: e.Time, Body: string(sent),
		}))
		if made == notYet || err != nil {
			return notYet, err
		}
		result = max(result, made)
	}
	return result, nil
}

// receives reports whether a subscription receives an event of this time. One that was created after the event does not.
func receives(s *v1alpha1.EventSubscription, t v1alpha1.ArticleEventType, site string, at time.Time) bool {
	return lifecycle.Selects(s, t, site) && !s.CreationTimestamp.After(at) && s.DeletionTimestamp.IsZero()
}

// create makes a delivery of a subscription if it is not in the cache.
func (r *OutboxReconciler) create(
	ctx context.Context, may *allowance, s *v1alpha1.EventSubscription, d *v1alpha1.EventDelivery,
) (made, error) {
	known, err := base.Read[v1alpha1.EventDelivery](ctx, r.Client, client.ObjectKeyFromObject(d))
	switch {
	case known != nil || err != nil:
		return all, err
	case r.isRefused(s):
		return refusedSome, nil
	case !may.take():
		return notYet, nil
	}
	tracing.Inject(ctx, d)
	err = r.Create(ctx, d)
	if refusal := refusalOf(&r.Base, d, err); refusal != nil {
		return refusedSome, r.refuse(ctx, s, refusal)
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return notYet, fmt.Errorf("making the delivery of an event: %w", err)
	}
	if refused(s) {
		return all, recordDispatching(ctx, &r.Base, s, nil)
	}
	return all, nil
}

// eventBody returns the body that subscribers receive: the article's status after the event, and the fields of the article that lists
// have.
func eventBody(a *v1alpha1.Article, e v1alpha1.ArticleTransition) eventhook.Event {
	kind := lifecycle.EventKindOf(e.Type)
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	data := eventhook.ArticleEventData{
		ID: identity.RecordID(uid, a.CreatedAt()), UID: uid, Slug: a.Status.Slug, Status: kind.Status,
		SiteUID: identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name), WorkspaceID: a.Namespace,
	}
	if g := a.Spec.Generate; g != nil {
		data.TargetKeyword = g.Keyword
	}
	if r := a.Status.Revision; r != nil {
		data.Title, data.SEOScore = r.Title, new(r.SEOScore)
	}
	if e.Type == v1alpha1.EventUnpublished && a.Spec.Stage == v1alpha1.StageArchived {
		data.Status = "archived"
	}
	if p := lifecycle.Have(a); p.PublishTime != nil && (p.UnpublishTime == nil || e.Type == v1alpha1.EventUnpublished) {
		data.PublishedURL, data.PublishedAt = p.URL, new(eventhook.Time(p.PublishTime.Time))
	}
	return eventhook.Event{Type: kind.Name, Timestamp: eventhook.Time(e.Time.Time), Data: data}
}

// noticeOf returns the message about an event for a chat.
func (r *OutboxReconciler) noticeOf(
	ctx context.Context, a *v1alpha1.Article, summary string, e eventhook.ArticleEventData,
) (eventhook.Notice, error) {
	site, err := siteOf(ctx, &r.Base, client.ObjectKey{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name})
	if err != nil {
		return eventhook.Notice{}, err
	}
	n := eventhook.Notice{
		Summary: summary, Subject: cmp.Or(e.Title, e.TargetKeyword, "Untitled"),
		Link: eventhook.Page(r.AppURL, a.Namespace, "articles", e.UID), Details: []string{siteName(site)},
	}
	if e.SEOScore != nil {
		n.Details = append(n.Details, fmt.Sprintf("score %d", *e.SEOScore))
	}
	return n, nil
}

// siteName is the name of a site as people know it.
func siteName(site *v1alpha1.Site) string {
	return cmp.Or(content.Label(site.Spec.DisplayName), site.Spec.Domain, "a deleted site")
}

// SetupWithManager registers the controller.
func (r *OutboxReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "outbox", outboxWorkers).
		For(&v1alpha1.Article{}, base.Only(lifecycle.DispatchPending)).
		Complete(r)
}
