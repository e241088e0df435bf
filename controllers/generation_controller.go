package controllers

import (
	"context"
	"errors"
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// progressInterval is how often the progress of a run is written at the most.
const progressInterval = time.Minute

// RunResult is what an attempt of a run came to. While it is under way it has the step that the attempt is in, and no more.
type RunResult struct {
	Result generate.Result
	Err    error

	Step, Steps int
}

// GenerationReconciler runs the generator: it reserves the credit, writes the attempt ahead, calls the model apart from
// the reconcile, and records what came.
type GenerationReconciler struct {
	Base
	// Slugs gives each article its own slug.
	Slugs *Slugs
	// Encoding of the bodies of new revisions.
	Encoding v1alpha1.BodyEncoding
	// Backends finds the generators of sites.
	Backends Backends
	// Charger takes and gives back credits.
	Charger *ledger.Charger
	// Runs is the work that is under way.
	Runs *inflight.Tracker[RunResult]
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts/status,verbs=update;patch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get

// Reconcile does the article's next step where it is this controller's.
func (r *GenerationReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Runs.ReleaseUnused(req.NamespacedName)
	article, site, err := r.load(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	if article == nil {
		r.Runs.Cancel(req.NamespacedName)
		r.Runs.Drop(req.NamespacedName)
		return ctrl.Result{}, nil
	}
	if g := article.Status.Generation; g != nil && g.State != v1alpha1.RunRunning {
		r.Runs.Forget(attemptID(article))
	}
	decision := lifecycle.Next(article, site, connectors.ModeOf(site), r.Clock.Now())
	switch decision.Step {
	case lifecycle.Wait:
		return r.wait(decision), nil
	case lifecycle.StartRun, lifecycle.RetryRun:
		return settled(r.start(ctx, article, site, decision.Step == lifecycle.StartRun))
	case lifecycle.FollowRun:
		return settled(r.follow(ctx, article, site))
	case lifecycle.RefundRun:
		return settled(ctrl.Result{}, r.refund(ctx, article, site))
	default:
		return ctrl.Result{}, nil
	}
}

// start makes the next attempt: everything that it needs is looked up first, the attempt is written ahead, and only then
// is the model called.
func (r *GenerationReconciler) start(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, fresh bool) (ctrl.Result, error) {
	backend, obstacle, err := r.Backends.For(ctx, site)
	if err != nil {
		return ctrl.Result{}, err
	}
	if obstacle.Reason != "" {
		return r.obstructed(ctx, a, site, obstacle, obstaclePoll)
	}
	slot := r.Runs.Acquire(client.ObjectKeyFromObject(a), backend.Host)
	if slot == nil {
		// It is notified when there is a place. Waiting for one is not written: only that what status names is not in the way.
		if lifecycle.BackendWaits(a) {
			return r.obstructed(ctx, a, site, lifecycle.NoSlotAtGenerator, 0)
		}
		return ctrl.Result{}, nil
	}
	defer slot.Release()
	run := r.nextAttempt(a, backend, fresh)
	if fresh {
		obstacle, retry, err := r.reserve(ctx, a, site, run.ID)
		if err != nil {
			return ctrl.Result{}, err
		}
		if obstacle.Reason != "" {
			return r.obstructed(ctx, a, site, obstacle, retry)
		}
	}
	old := a.DeepCopy()
	a.Status.Generation = run
	a.Status.LastRevisionNumber = max(a.Status.LastRevisionNumber, run.Number)
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return ctrl.Result{}, err
	}
	r.launch(ctx, slot, a, site, backend)
	return ctrl.Result{RequeueAfter: progressInterval}, nil
}

// nextAttempt describes the attempt that is about to be made: of a new run, or of the one that waits for its retry.
func (r *GenerationReconciler) nextAttempt(a *v1alpha1.Article, backend Backend, fresh bool) *v1alpha1.GenerationRun {
	run := &v1alpha1.GenerationRun{Charge: v1alpha1.Charged}
	if fresh {
		run.Number = a.Status.LastRevisionNumber + 1
		run.ID = revisionName(a, run.Number)
		lifecycle.TakeNonce(a, run)
	} else {
		run = a.Status.Generation.DeepCopy()
		run.Reason, run.Message, run.NextAttemptAt, run.FinishedAt = "", "", nil, nil
		run.Step, run.Steps, run.ProgressAt = 0, 0, nil
	}
	run.Attempt++
	run.State, run.Holder, run.StartedAt = v1alpha1.RunRunning, r.Holder, r.now()
	run.RequestHash = lifecycle.RequestHash(a.Spec.Generate)
	run.Type, run.Model = backend.Type, backend.Model
	return run
}

// launch calls the model apart from the reconcile.
func (r *GenerationReconciler) launch(
	ctx context.Context, slot *inflight.Slot[RunResult], a *v1alpha1.Article, site *v1alpha1.Site, backend Backend,
) {
	id := attemptID(a)
	request := generateRequest(a, site)
	ctx, finish := runSpan(ctx, a)
	slot.Go(ctx, id, func(ctx context.Context) RunResult {
		began := r.Clock.Now()
		result, err := backend.Generator.Generate(ctx, request, func(step, steps int) {
			r.Runs.Report(id, RunResult{Step: step, Steps: steps})
		})
		runSeconds.Observe(r.Clock.Since(began).Seconds())
		return finish(RunResult{Result: result, Err: err})
	})
}

// attemptID identifies the attempt of a run that status tells of: another article of the same name has runs of the same ids.
func attemptID(a *v1alpha1.Article) string {
	return fmt.Sprintf("%s#%s#%d", a.UID, a.Status.Generation.ID, a.Status.Generation.Attempt)
}

// generateRequest says what an article asks for, in its site's voice.
func generateRequest(a *v1alpha1.Article, site *v1alpha1.Site) generate.Request {
	voice, name := site.Spec.BrandVoice, site.Spec.DisplayName
	if name == "" {
		name = site.Spec.Domain
	}
	request := generate.Request{
		Keyword: a.Spec.Generate.Keyword, SecondaryKeywords: a.Spec.Generate.SecondaryKeywords, Tone: voice.Tone,
		Language: language(site), Audience: voice.Audience, AvoidWords: voice.AvoidWords,
		SiteName: name, Domain: site.Spec.Domain,
	}
	if a.Spec.Generate.Tone != "" {
		request.Tone = a.Spec.Generate.Tone
	}
	return request
}

// obstructed says what keeps the run from starting, and tries again later; zero waits for a watch to tell.
func (r *GenerationReconciler) obstructed(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, o lifecycle.Obstacle, retry time.Duration,
) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: retry}, r.save(ctx, a.DeepCopy(), a, site, lifecycle.Obstacles{Generation: o})
}

// follow looks after an attempt that status says is under way.
func (r *GenerationReconciler) follow(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) (ctrl.Result, error) {
	if a.Status.Generation.Holder != r.Holder {
		return ctrl.Result{}, r.recordInterrupted(ctx, a, site)
	}
	result, state := r.Runs.Look(attemptID(a))
	switch state {
	case inflight.Running:
		return ctrl.Result{RequeueAfter: progressInterval}, r.writeProgress(ctx, a, site, result)
	case inflight.Unknown:
		return ctrl.Result{}, r.recordInterrupted(ctx, a, site)
	}
	// Until status tells of it, the result stays in memory.
	err := r.record(ctx, a, site, result)
	switch {
	case errors.Is(err, errNameTaken):
		return ctrl.Result{RequeueAfter: namePoll}, nil
	case errors.Is(err, errSiteMissing):
		return ctrl.Result{}, r.save(ctx, a.DeepCopy(), a, site, lifecycle.Obstacles{})
	default:
		return ctrl.Result{}, err
	}
}

// reserve takes the run's credit, and says what is in the way where it cannot. The article is read live first: a run that
// is already recorded may not be charged again.
func (r *GenerationReconciler) reserve(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, run string,
) (lifecycle.Obstacle, time.Duration, error) {
	account, err := r.account(ctx, a.Namespace)
	if err != nil {
		return lifecycle.Obstacle{}, 0, err
	}
	if account == "" {
		return lifecycle.Obstacle{Reason: v1alpha1.ReasonNotAWorkspace, Message: fmt.Sprintf(
			"the namespace is not a workspace: it must carry the label %s", v1alpha1.AccountLabel)}, 0, nil
	}
	charge := ledger.Charge{
		Account: account, Run: run, Workspace: a.Namespace, Article: a.Name,
		SiteUID: identity.UID(identity.KindSite, site.Namespace, site.Name), DailyLimit: site.Spec.Limits.ArticlesPerDay,
	}
	if o, retry, err := r.hopeless(ctx, charge); err != nil || o.Reason != "" {
		return o, retry, err
	}
	if err := r.assureFresh(ctx, a); err != nil {
		return lifecycle.Obstacle{}, 0, err
	}
	return inTheWay(r.Charger.Reserve(ctx, charge))
}

// SetupWithManager registers the controller.
func (r *GenerationReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("generation").
		For(&v1alpha1.Article{}).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.articlesOfSite), builder.WithPredicates(newSpec())).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfAccount), builder.WithPredicates(mayAllowMore())).
		WatchesMetadata(namespaceMetadata(), handler.EnqueueRequestsFromMapFunc(r.waitingInNamespace)).
		WatchesRawSource(wakeUps(r.Runs)).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}
