package controllers

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/fairqueue"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// ArticleWorkers is how many articles are reconciled at once. No reconcile waits for a model, a receiver or a busy ledger.
const ArticleWorkers = 24

// ArticleReconciler moves articles from a request or a text to a published post. It has one handler for each lifecycle.Step.
type ArticleReconciler struct {
	Base
	content     *Content
	generation  *Generation
	publication *Publication
	posts       *Posts
	steps       map[lifecycle.Step]stepFunc
}

// stepFunc does one step of an article. It changes the task in memory; what it does outside the process, it writes ahead.
type stepFunc func(ctx context.Context, t *task) (progress, error)

// progress is how a step ended.
type progress struct {
	// again means that the next step may be due at once, and is to be written together with this one.
	again bool
	// after is when to look at the article again; zero if something else puts it back into the queue.
	after time.Duration
}

// NewArticleReconciler returns a reconciler whose steps are done by these parts.
func NewArticleReconciler(base Base, content *Content, generation *Generation, publication *Publication, posts *Posts) *ArticleReconciler {
	r := &ArticleReconciler{Base: base, content: content, generation: generation, publication: publication, posts: posts}
	r.steps = map[lifecycle.Step]stepFunc{
		lifecycle.Wait: r.wait,

		lifecycle.Suspended: r.waitSuspended,

		lifecycle.MakeRevision: r.makeRevision,

		lifecycle.StartRun:  r.startRun,
		lifecycle.RetryRun:  generation.retry,
		lifecycle.FollowRun: generation.follow,
		lifecycle.RefundRun: generation.refund,
		lifecycle.Supersede: generation.supersede,

		lifecycle.ReturnCredit: generation.returnCredit,

		lifecycle.StartCycle:      publication.start,
		lifecycle.RetryDelivery:   publication.retry,
		lifecycle.FollowDelivery:  publication.follow,
		lifecycle.PublishForPull:  publication.publishForPull,
		lifecycle.FailUnsupported: publication.failUnsupported,
	}
	return r
}

// Steps returns the steps that have a handler.
func (r *ArticleReconciler) Steps() []lifecycle.Step {
	steps := make([]lifecycle.Step, 0, len(r.steps))
	for step := range r.steps {
		steps = append(steps, step)
	}
	return steps
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=articles,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=articles/status,verbs=update;patch
// +kubebuilder:rbac:groups=pressroom.dev,resources=articlerevisions,verbs=get;create;delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=sites,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts/status,verbs=update;patch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get
// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconcile does the article's due step, and writes it together with the steps that follow from it at once.
func (r *ArticleReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.generation.Runs.Begin(req.NamespacedName)()
	defer r.publication.Engine.Calls.Begin(req.NamespacedName)()
	t, err := r.load(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	if t == nil {
		return ctrl.Result{}, r.drop(ctx, req.NamespacedName)
	}
	r.generation.forgetEnded(t.article)
	r.publication.forgetEnded(t.article)
	result, err := r.do(ctx, t)
	return finish(result, err, func(*lifecycle.BlockedError) error { return t.save(ctx) })
}

// drop forgets an article that was deleted. The outcome of its last attempt goes to the Post that the attempt was made under.
func (r *ArticleReconciler) drop(ctx context.Context, key types.NamespacedName) error {
	r.generation.drop(key)
	calls := r.publication.Engine.Calls
	calls.Leave(key)
	for id, outcome := range calls.Ended(key) {
		if err := r.posts.recordDeleted(ctx, key, outcome); err != nil {
			return err
		}
		calls.Forget(id)
	}
	return nil
}

// do does the steps that are due. A step that changed the article and left nothing to wait for leads to the next one; the first
// that writes, writes all of them.
func (r *ArticleReconciler) do(ctx context.Context, t *task) (ctrl.Result, error) {
	for range len(r.steps) {
		t.decision = lifecycle.Next(t.article, t.site, t.mode, r.Clock.Now())
		step, err := r.unlessSuspended(ctx, t)
		if err != nil {
			return ctrl.Result{}, err
		}
		p, err := r.steps[step](ctx, t)
		if err != nil {
			return ctrl.Result{}, err
		}
		if !p.again {
			return ctrl.Result{RequeueAfter: p.after}, t.saveIfChanged(ctx)
		}
	}
	return ctrl.Result{}, fmt.Errorf("the steps of the article do not end: %s", t.decision.Step)
}

// wait keeps the conditions right until something changes or the decision's time comes.
func (r *ArticleReconciler) wait(ctx context.Context, t *task) (progress, error) {
	return progress{after: r.until(t.decision).RequeueAfter}, t.save(ctx)
}

// load reads an article and its site from the cache; nil if the article does not exist.
func (r *ArticleReconciler) load(ctx context.Context, key types.NamespacedName) (*task, error) {
	article := &v1alpha1.Article{}
	if err := r.Client.Get(ctx, key, article); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	t := &task{
		base: &r.Base, slugs: r.content.Slugs, posts: r.posts, content: r.content,
		article: article, stored: article.DeepCopy(),
	}
	site := &v1alpha1.Site{}
	err := r.Client.Get(ctx, types.NamespacedName{Namespace: key.Namespace, Name: article.Spec.SiteRef.Name}, site)
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		return nil, fmt.Errorf("reading the site: %w", err)
	default:
		t.site = site
	}
	t.mode = connectors.ModeOf(t.site)
	return t, nil
}

// SetupWithManager registers the controller.
func (r *ArticleReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("article").
		For(&v1alpha1.Article{}).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.articlesOfSite), builder.WithPredicates(siteChanged())).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfAccount), builder.WithPredicates(allowsMore())).
		WatchesMetadata(namespaceMetadata(), handler.EnqueueRequestsFromMapFunc(r.waitingInNamespace)).
		WatchesRawSource(notifications(r.generation.Runs)).
		WatchesRawSource(notifications(r.publication.Engine.Calls)).
		WatchesRawSource(r.secretsFound(&v1alpha1.ArticleList{})).
		WithOptions(controller.Options{MaxConcurrentReconciles: ArticleWorkers, NewQueue: fairqueue.New(r.accountOf)}).
		Complete(r)
}
