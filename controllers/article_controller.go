package controllers

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// namePoll is how often a revision's name is tried again that a deleted article has left taken.
const namePoll = 5 * time.Second

// ArticleReconciler takes the author's content into revisions, publishes what nothing is sent for, and keeps conditions
// and phase right while an article waits for a person, for the clock or for something that is missing.
type ArticleReconciler struct {
	Base
	// Slugs gives each article its own slug.
	Slugs *Slugs
	// Encoding of the bodies of new revisions.
	Encoding v1alpha1.BodyEncoding
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=articles,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=articles/status,verbs=patch
// +kubebuilder:rbac:groups=pressroom.dev,resources=articlerevisions,verbs=get;create;delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=sites,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconcile does the article's next step where it is this controller's.
func (r *ArticleReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	article, site, err := r.load(ctx, req.NamespacedName)
	if err != nil || article == nil {
		return ctrl.Result{}, err
	}
	r.Slugs.Seen(article)
	decision := lifecycle.Next(article, site, connectors.ModeOf(site), r.Clock.Now())
	old := article.DeepCopy()
	switch decision.Step {
	case lifecycle.Wait:
		return settled(r.wait(decision), r.save(ctx, old, article, site, lifecycle.Obstacles{}))
	case lifecycle.MakeRevision:
		return settled(r.makeRevision(ctx, article, site))
	case lifecycle.Supersede:
		supersede(article, r.now())
		return settled(ctrl.Result{}, r.save(ctx, old, article, site, lifecycle.Obstacles{}))
	case lifecycle.PublishForPull:
		return settled(ctrl.Result{}, r.publishForPull(ctx, article, site))
	case lifecycle.FailUnsupported:
		return settled(ctrl.Result{}, r.failUnsupported(ctx, article, site))
	default:
		return ctrl.Result{}, nil
	}
}

// makeRevision takes the author's content into a revision.
func (r *ArticleReconciler) makeRevision(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) (ctrl.Result, error) {
	doc, err := r.document(ctx, a, site)
	if err != nil {
		return ctrl.Result{}, err
	}
	doc, err = content.Normalize(revision.Overlay(doc, a.Spec.Content))
	if err != nil {
		return ctrl.Result{}, r.refuseContent(ctx, a, site, err)
	}
	rev, err := r.written(ctx, a, doc)
	if errors.Is(err, errNameTaken) {
		found := lifecycle.Obstacles{Content: lifecycle.Obstacle{Reason: v1alpha1.ReasonRevisionNameTaken, Message: err.Error()}}
		return ctrl.Result{RequeueAfter: namePoll}, r.save(ctx, a.DeepCopy(), a, site, found)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.takeIn(ctx, r.Slugs, a, site, rev, lifecycle.ContentHash(a.Spec.Content), nil)
}

// written creates the revision of a written document, under the next number that is free. A revision that an interrupted
// reconcile left counts as this one only with the same content.
func (r *ArticleReconciler) written(ctx context.Context, a *v1alpha1.Article, doc content.Document) (*v1alpha1.ArticleRevision, error) {
	for number := a.Status.LastRevisionNumber + 1; ; number++ {
		origin := revision.Origin{
			Name: revisionName(a, number), Number: number, Source: v1alpha1.SourceWritten, Encoding: r.Encoding,
		}
		if g := a.Spec.Generate; g != nil {
			origin.Keyword, origin.SecondaryKeywords = g.Keyword, g.SecondaryKeywords
		}
		wanted, err := revision.New(a, doc, origin)
		if err != nil {
			return nil, err
		}
		got, err := r.createRevision(ctx, a, wanted)
		if err != nil || got.Spec.Digest == doc.Digest() {
			return got, err
		}
	}
}

// refuseContent says what is wrong with content that cannot become an article.
func (r *ArticleReconciler) refuseContent(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, cause error) error {
	found := lifecycle.Obstacles{Content: lifecycle.Obstacle{Reason: v1alpha1.ReasonInvalidContent, Message: cause.Error()}}
	return r.save(ctx, a.DeepCopy(), a, site, found)
}

// supersede gives a waiting run up; its credit is given back.
func supersede(a *v1alpha1.Article, now metav1.MicroTime) {
	g := a.Status.Generation
	g.State, g.NextAttemptAt, g.FinishedAt = v1alpha1.RunSuperseded, nil, &now
	g.Charge = v1alpha1.RefundDue
}

// publishForPull publishes an article that the site will read from the API.
func (r *ArticleReconciler) publishForPull(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	old, now := a.DeepCopy(), r.now()
	a.Status.Publication = lifecycle.Undelivered(a, v1alpha1.PublicationPublished)
	a.Status.Publication.PublishedAt = &now
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return err
	}
	r.event(a, corev1.EventTypeNormal, v1alpha1.ReasonPublished, "Publish", "the article may be read from the API")
	return nil
}

// failUnsupported ends publishing to a type of CMS that the contract names without an interface.
func (r *ArticleReconciler) failUnsupported(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	old := a.DeepCopy()
	a.Status.Publication = lifecycle.Undelivered(a, v1alpha1.PublicationFailed)
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return err
	}
	r.event(a, corev1.EventTypeWarning, v1alpha1.ReasonNotSupportedYet, "Publish",
		fmt.Sprintf("publishing to a site of the type %s is not supported yet", site.Spec.CMS.Type))
	return nil
}

// SetupWithManager registers the controller.
func (r *ArticleReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("article").
		For(&v1alpha1.Article{}).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.articlesOfSite), builder.WithPredicates(newSpec())).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}
