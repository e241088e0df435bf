package article

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// runSubject has the engine make the attempts of an article's run.
type runSubject struct {
	*task
	generation *Generation
	// fresh means that the next attempt begins a new run, which is paid with this credit.
	fresh bool
	paid  credit
	// payer is the account whose tokens the attempt takes. held means that tokens of its budget are held for the attempt, and capped that
	// they are fewer than the attempt could take otherwise.
	payer        string
	held, capped bool
	// spender is the site of the attempt.
	spender types.NamespacedName
	// backend, request and brief are those of the next attempt; brief is nil if there is none.
	backend sitegenerator.Backend
	request generate.Request
	brief   *v1alpha1.RevisionBrief
	// id of the attempt that Begin has recorded.
	id string
	// joins means that the run has succeeded, and is written together with the step that follows.
	joins bool
}

var _ attempt.Subject[RunResult] = (*runSubject)(nil)

// Key implements attempt.Subject.
func (s *runSubject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.article) }

// SlotRequest finds out whether a new run can be paid, and whether the generator would refuse the request. So an article that waits for a
// slot waits for nothing else.
func (s *runSubject) SlotRequest(ctx context.Context) (request inflight.SlotRequest, err error) {
	g := s.generation
	if s.fresh {
		s.paid, err = g.precheck(ctx, s.task)
	} else {
		s.paid, err = g.precheckRetry(ctx, s.article)
	}
	if err != nil {
		return request, err
	}
	if s.backend, err = g.Backends.For(ctx, s.site); err != nil {
		return request, err
	}
	if err := checkPrices(s.paid, s.site, s.backend); err != nil {
		return request, err
	}
	if request, err = g.SlotRequest(ctx, s.article.Namespace, s.backend.Host); err != nil {
		return request, err
	}
	if s.payer, err = g.Account(ctx, s.article.Namespace); err != nil {
		return request, err
	}
	s.spender = types.NamespacedName{Namespace: s.article.Namespace, Name: s.article.Spec.SiteRef.Name}
	request.UID, request.Uncapped = s.article.UID, s.backend.Default
	s.request = generateRequest(s.article, s.site)
	return request, checkRequest(s.article, s.backend, s.request)
}

// Attempt implements attempt.Subject.
func (s *runSubject) Attempt() string { return runAttemptID(s.article) }

// Stored says that a blocker in status is outdated, because SlotRequest has found none, apart from the Brief, which Prepare looks for.
func (s *runSubject) Stored() (blocked, outdated bool) {
	outdated = lifecycle.GenerationBlocked(s.article) || s.article.Status.ObservedGeneration != s.article.Generation
	return lifecycle.AwaitsBrief(s.article), outdated
}

// Queued implements attempt.Subject.
func (s *runSubject) Queued() { s.blockers.Generation = lifecycle.NoSlotAtGenerator() }

// Checking implements attempt.Subject. A run has no check.
func (s *runSubject) Checking() {}

// Prepare adds the Brief and the material of the site to the request, and holds tokens of the account's budget.
func (s *runSubject) Prepare(ctx context.Context) (attempt.Plan[RunResult], error) {
	g := s.generation
	if err := base.RequireSpec(ctx, g.Base, "sites", s.site); err != nil {
		return attempt.Plan[RunResult]{}, err
	}
	if err := g.material(ctx, s); err != nil {
		return attempt.Plan[RunResult]{}, err
	}
	return attempt.Plan[RunResult]{Send: s.send}, s.hold(ctx)
}

// send calls the model. It runs outside of the reconcile, when the run is in status.
func (s *runSubject) send(ctx context.Context) (sent RunResult) {
	g, began := s.generation, s.generation.Clock.Now()
	defer func() { s.ended(sent) }()
	ctx, cancel := context.WithTimeout(ctx, generate.Deadline(s.request))
	defer cancel()
	result, err := s.backend.Generator.Generate(ctx, s.request, func(step, steps int) {
		g.Engine.Calls.Report(s.id, RunResult{Step: step, Steps: steps})
	})
	if err == nil {
		result, err = completed(result)
	}
	if s.capped {
		err = stoppedByBudget(err)
	}
	return RunResult{Result: result, Err: err, Prices: s.backend.Prices, Brief: s.brief, Took: g.Clock.Since(began)}
}

// completed returns a result whose document has what the model left out, or a *generate.Error if that is not possible.
func completed(result generate.Result) (generate.Result, error) {
	doc, err := content.Complete(result.Document)
	if err != nil {
		return result, &generate.Error{
			Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: err.Error(), Usage: result.Usage,
		}
	}
	result.Document = doc
	return result, nil
}

// Begin takes the credit of a new run, and records the run. A run with a stored credit takes none.
func (s *runSubject) Begin(ctx context.Context, _ cycles.AttemptID) (time.Time, error) {
	g, a := s.generation, s.article
	dueAt, run := due.Run(a), g.nextAttempt(a, s.backend, s.fresh)
	if s.fresh {
		if err := g.reserve(ctx, s.task, s.paid); err != nil {
			return time.Time{}, err
		}
		a.Status.Prepaid = nil
		command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RegenerateAnnotation)
		s.afterSave = append(s.afterSave, func(context.Context) error {
			warnOfSameKeyword(s.task, s.request.Site)
			return nil
		})
	}
	a.Status.Run = run
	a.Status.LastRevisionNumber = max(a.Status.LastRevisionNumber, run.Number)
	s.id = runAttemptID(a)
	return dueAt, nil
}

// nextAttempt returns the run with its next attempt: a new run, or the one that waits for its retry.
func (g *Generation) nextAttempt(a *v1alpha1.Article, backend sitegenerator.Backend, fresh bool) *v1alpha1.GenerationRun {
	run := &v1alpha1.GenerationRun{Charge: v1alpha1.Charged}
	if fresh {
		run.Number = a.Status.LastRevisionNumber + 1
		run.Name = nextRun(a)
	} else {
		run = a.Status.Run.DeepCopy()
		if run.Reason == v1alpha1.ReasonStopped || run.Reason == v1alpha1.ReasonBudgetReached {
			run.Attempt-- // It was cut off by this controller, and does not count.
		}
		run.Reason, run.Message, run.NextAttemptTime, run.FinishTime = "", "", nil, nil
		run.Step, run.Steps, run.ProgressTime = 0, 0, nil
	}
	run.Attempt++
	run.State, run.Holder, run.StartTime = v1alpha1.RunRunning, g.Holder, g.Now()
	run.RequestHash = lifecycle.RequestHash(a.Spec.Generate)
	run.Type, run.Model = backend.Type, backend.Model
	return run
}

// Span continues the trace of the article.
func (s *runSubject) Span(ctx context.Context) (context.Context, func(RunResult)) {
	return runSpan(ctx, s.article)
}

// Save implements attempt.Subject.
func (s *runSubject) Save(ctx context.Context, written func()) error {
	s.afterSave = append(s.afterSave, func(context.Context) error {
		written()
		return nil
	})
	if s.joins {
		return nil
	}
	return s.save(ctx)
}
