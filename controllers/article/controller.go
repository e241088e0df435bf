// Package article moves articles from a request or a text to a published post. The Reconciler has one handler for each lifecycle.Step,
// in three parts: Content takes the author's text into revisions, Generation runs the generator, and Publication has the current
// revision sent to the site, or publishes it for a site that pulls. Slugs and Posts are the matter of package post.
package article

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Workers is how many articles are reconciled at once. No reconcile waits for a model, a receiver or a busy ledger.
const Workers = 24

// Reconciler moves articles from a request or a text to a published post. It has one handler for each lifecycle.Step.
type Reconciler struct {
	base.Base
	// Generation and Publication have the calls in progress.
	Generation  *Generation
	Publication *Publication

	content *Content
	posts   *post.Store
	steps   map[lifecycle.Step]stepFunc
}

// stepFunc does one step of an article. It changes the task in memory. Before an effect outside of the process, it writes the attempt
// to status.
type stepFunc func(ctx context.Context, t *task) (progress, error)

// NewReconciler returns a reconciler whose steps are done by these parts.
func NewReconciler(base base.Base, content *Content, generation *Generation, publication *Publication, posts *post.Store) *Reconciler {
	publication.content, publication.connections = content, newConnections(base.Clock)
	r := &Reconciler{Base: base, content: content, Generation: generation, Publication: publication, posts: posts}
	r.steps = map[lifecycle.Step]stepFunc{
		lifecycle.Wait: r.wait,

		lifecycle.MakeRevision:    content.makeRevision,
		lifecycle.GiveUpRevisions: content.giveUpRevisions,

		lifecycle.StartRun:  r.startRun,
		lifecycle.RetryRun:  generation.attempt,
		lifecycle.FollowRun: generation.follow,
		lifecycle.RefundRun: generation.refund,
		lifecycle.Supersede: generation.supersede,

		lifecycle.ReturnCredit: generation.returnCredit,

		lifecycle.BeginCycle:      publication.attempt,
		lifecycle.RetryCycle:      publication.attempt,
		lifecycle.FollowCycle:     publication.follow,
		lifecycle.DropCycle:       publication.drop,
		lifecycle.ByPull:          publication.byPull,
		lifecycle.FailUnsupported: publication.failUnsupported,
	}
	return r
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=articles,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=articles/status,verbs=update
// +kubebuilder:rbac:groups=pressroom.dev,resources=articlerevisions,verbs=get;create;delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=briefs,verbs=get
// +kubebuilder:rbac:groups=pressroom.dev,resources=sites,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=accountledgers,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get
// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconcile does the step that is due and the steps that follow from it at once, and writes status once for all of them.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Generation.Engine.Calls.Begin(req.NamespacedName)()
	defer r.Publication.Engine.Calls.Begin(req.NamespacedName)()
	defer r.content.Images.Engine.Calls.Begin(req.NamespacedName)()
	t, err := r.load(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	if t == nil {
		return ctrl.Result{}, r.drop(ctx, req.NamespacedName)
	}
	if waits, err := r.recordEarlier(ctx, t.article); waits || err != nil {
		errors.As(err, &t.blockers.Publication)
		return base.Finish(ctrl.Result{}, err, func(*lifecycle.BlockedError) error { return t.save(ctx) })
	}
	r.Generation.forgetEnded(t.article)
	r.Publication.forgetEnded(t.article)
	result, err := r.do(ctx, t)
	if t.site != nil {
		r.Health.Waits(client.ObjectKeyFromObject(t.site), req.NamespacedName, due.WaitsSince(t.article, t.site, r.Clock.Now()))
	}
	return base.Finish(result, err, func(*lifecycle.BlockedError) error { return t.save(ctx) })
}

// recordEarlier records what was sent for earlier Articles of the name, in the Posts of those attempts, and ends their runs. It reports
// true while an attempt is in progress for one of them: what that has done is known first. The tracker notifies the name when it has ended.
func (r *Reconciler) recordEarlier(ctx context.Context, a *v1alpha1.Article) (waits bool, err error) {
	key := client.ObjectKeyFromObject(a)
	r.Generation.Engine.Calls.DropOthers(key, a.UID)
	r.content.Images.Engine.Calls.DropOthers(key, a.UID)
	calls := r.Publication.Engine.Calls
	if err := r.recordDeleted(ctx, key, calls.EndedOfOthers(key, a.UID)); err != nil {
		return false, err
	}
	return calls.HasOthers(key, a.UID), nil
}

// recordDeleted records outcomes of attempts whose Article is deleted.
func (r *Reconciler) recordDeleted(ctx context.Context, key types.NamespacedName, ended map[string]publish.Outcome) error {
	for id, outcome := range ended {
		if err := r.posts.RecordDeleted(ctx, key, outcome); err != nil {
			return err
		}
		r.Publication.Engine.Calls.Forget(id)
	}
	return nil
}

// drop forgets a deleted article. It records the outcome of the last attempt in the Post of that attempt.
func (r *Reconciler) drop(ctx context.Context, key types.NamespacedName) error {
	r.Generation.Engine.Calls.Cancel(key)
	r.Generation.Engine.Calls.Drop(key)
	r.content.Related.Remove(key.Namespace, key.Name)
	r.content.Images.Engine.Calls.Drop(key)
	r.Health.ForgetArticle(key)
	calls := r.Publication.Engine.Calls
	calls.Leave(key)
	return r.recordDeleted(ctx, key, calls.Ended(key))
}

// do does the steps that are due. A step that changed the article and need not wait is followed by the next one. The first step that
// writes status writes the changes of all of them.
func (r *Reconciler) do(ctx context.Context, t *task) (ctrl.Result, error) {
	for range len(r.steps) {
		t.decision = lifecycle.Next(t.article, t.site, t.target(), r.Clock.Now())
		t.blockers = t.decision.Blocked
		p, err := r.steps[t.decision.Step](ctx, t)
		if err != nil {
			return ctrl.Result{}, err
		}
		if !p.again {
			if t.changed {
				err = t.save(ctx)
			}
			return ctrl.Result{RequeueAfter: p.after}, err
		}
	}
	return ctrl.Result{}, fmt.Errorf("the steps of the article do not end: %s", t.decision.Step)
}

// wait brings the conditions up to date, and requeues the article for the decision's time.
func (r *Reconciler) wait(ctx context.Context, t *task) (progress, error) {
	return progress{after: r.Until(t.decision).RequeueAfter}, t.save(ctx)
}

// load reads an article and its site from the cache; nil if the article does not exist.
func (r *Reconciler) load(ctx context.Context, key types.NamespacedName) (*task, error) {
	article, err := base.Read[v1alpha1.Article](ctx, r.Client, key)
	if article == nil || err != nil {
		return nil, err
	}
	t := &task{base: &r.Base, posts: r.posts, article: article, stored: article.DeepCopy()}
	t.site, err = base.Read[v1alpha1.Site](ctx, r.Client, types.NamespacedName{Namespace: key.Namespace, Name: article.Spec.SiteRef.Name})
	if err != nil {
		return nil, err
	}
	if t.site != nil {
		// The watches of sites and accounts report the end of a suspension; that of the installation ends when the process does.
		if t.suspension, err = r.Suspension(ctx, t.site); err != nil {
			return nil, err
		}
	}
	r.Publication.connections.observeVersion(article)
	t.changed = lifecycle.SyncHold(article)
	remember(r.content.Related, article)
	return t, nil
}
