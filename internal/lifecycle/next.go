// Package lifecycle is the state machine of articles. From an article, the objects that it refers to and the clock it decides the next
// step, the phase, the conditions and what a person may do. It does no I/O and has no state. Its tables are the specification
// (docs/contributing/design.md, State machine): Next, the rows of a situation, EventKinds and Actions, and the table of reasons in its
// package conditions. When a step begins or ends, package record changes status in memory. Packages eventdelivery and connectiontest decide
// for the other objects that are sent to a receiver.
package lifecycle

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Step is the one thing to do next for an object. The controller of the object's kind has one handler for each step.
type Step string

// The steps of an article that concern its content.
const (
	// Wait only writes the conditions, until something changes or the decision's time comes.
	Wait Step = "Wait"
	// MakeRevision makes a new revision of the author's content, or of the generated text after the author took it back.
	MakeRevision Step = "MakeRevision"
	// GiveUpRevisions deletes the earlier revisions of a published article that has been quiet.
	GiveUpRevisions Step = "GiveUpRevisions"
)

// The steps of an article that concern generation.
const (
	// StartRun begins a new run: one credit, one revision.
	StartRun Step = "StartRun"
	// RetryRun makes the next attempt of a run.
	RetryRun Step = "RetryRun"
	// FollowRun follows an attempt that is in progress.
	FollowRun Step = "FollowRun"
	// Supersede ends a run that waits for its retry, because the author wrote the text.
	Supersede Step = "Supersede"
	// RefundRun refunds the credit of a failed run.
	RefundRun Step = "RefundRun"
	// ReturnCredit refunds a prepaid credit of a run that is not wanted.
	ReturnCredit Step = "ReturnCredit"
)

// The steps of an article that concern publication.
const (
	// BeginCycle makes the first attempt of a new delivery cycle, which puts a revision or takes the post back.
	BeginCycle Step = "BeginCycle"
	// RetryCycle makes the next attempt of the cycle.
	RetryCycle Step = "RetryCycle"
	// FollowCycle follows an attempt that is in progress.
	FollowCycle Step = "FollowCycle"
	// DropCycle ends a cycle that waits for a retry which is no longer wanted.
	DropCycle Step = "DropCycle"
	// ByPull publishes or unpublishes an article of a site that pulls: nothing is sent.
	ByPull Step = "ByPull"
	// FailUnsupported ends what is wanted of a site that cannot do it.
	FailUnsupported Step = "FailUnsupported"
)

// Mode is how articles get to a Site. The registry of connectors knows it.
type Mode string

const (
	// Push sends each article to the Site.
	Push Mode = "Push"
	// Pull leaves it to the Site to read its articles from the REST API.
	Pull Mode = "Pull"
	// Unsupported Sites cannot be published to.
	Unsupported Mode = "Unsupported"
)

// Decision is a step, or a wait until a time.
type Decision struct {
	// Step to do now.
	Step Step
	// Until is when to decide again, if that depends on the clock; zero if it does not.
	Until time.Time
	// Want is what the site is to have.
	Want Want
	// Blocked are the due steps that a suspension forbids.
	Blocked Blockers
}

// Next decides what to do for an article. site is nil if it does not exist; to says how articles get to it.
func Next(a *v1alpha1.Article, site *v1alpha1.Site, to Target, now time.Time) Decision {
	want := Wanted(a, site, to, now)
	d := sooner(next(a, site, to, want, now), want.Until)
	if numbers, at := QuietRevisions(a); len(numbers) > 0 && d.Step == Wait {
		if d = sooner(d, at); !now.Before(at) {
			d = Decision{Step: GiveUpRevisions}
		}
	}
	d.Want = want
	if want.Kind == WantBlocked {
		d.Blocked.Publication = to.Suspension
	}
	if site == nil || to.Suspension == nil {
		return d
	}
	// An article of a restored site does not even get new revisions, because its own may not be restored yet.
	switch {
	case d.Step == MakeRevision && site.Restored():
		d.Step, d.Blocked.Content = Wait, to.Suspension
	case d.Step == StartRun, d.Step == RetryRun:
		d.Step, d.Blocked.Generation = Wait, to.Suspension
	}
	return d
}

func next(a *v1alpha1.Article, site *v1alpha1.Site, to Target, want Want, now time.Time) Decision {
	if step := nextOfPresent(a, site, want); step != "" {
		return Decision{Step: step}
	}
	publication, making := nextPublication(a, site, to, want, now), MakingOf(a, site)
	// What ends a doubt, or takes a post back, waits for no other text.
	urgent := want.Kind == WantRemove || want.Kind == WantPut && want.Revision.Digest == LiveDigest(a) && !want.Requested
	switch run := a.Status.Run; {
	case a.Spec.Stage == v1alpha1.StageArchived, site == nil, urgent && publication.Step != Wait:
		return publication
	case run != nil && run.State == v1alpha1.RunRetryScheduled && (a.Spec.Generate == nil || Written(a)):
		return Decision{Step: Supersede}
	case making == RevisionDue:
		return Decision{Step: MakeRevision}
	case making == RunDue:
		return sooner(nextRun(a, now), publication.Until)
	default:
		return publication
	}
}

// nextOfPresent decides about what has begun: it is followed, given back or dropped before anything else begins. It returns an empty step
// if there is nothing of that.
func nextOfPresent(a *v1alpha1.Article, site *v1alpha1.Site, want Want) Step {
	making := MakingOf(a, site)
	// A credit is not wanted if the author has written the text, the article is archived, or its site was deleted. A blocked run is wanted.
	paidInVain := making != RunDue || a.Spec.Stage == v1alpha1.StageArchived || site == nil
	switch p := a.Status.Prepaid; {
	case !a.DeletionTimestamp.IsZero():
		return Wait
	case making == RunInProgress:
		return FollowRun
	case DeliveryInProgress(a) != nil:
		return FollowCycle
	case a.Status.Run != nil && a.Status.Run.Charge == v1alpha1.RefundDue:
		return RefundRun
	case p != nil && (p.Charge == v1alpha1.RefundDue || paidInVain):
		return ReturnCredit
	case RetryUnwanted(a, site, want) != "":
		return DropCycle
	default:
		return ""
	}
}

// sooner makes a wait end at a time, unless it ends before.
func sooner(d Decision, at time.Time) Decision {
	if d.Step == Wait && !at.IsZero() && (d.Until.IsZero() || at.Before(d.Until)) {
		d.Until = at
	}
	return d
}

func nextRun(a *v1alpha1.Article, now time.Time) Decision {
	g := a.Status.Run
	if g == nil || g.State != v1alpha1.RunRetryScheduled {
		return Decision{Step: StartRun}
	}
	if g.NextAttemptTime != nil && g.NextAttemptTime.After(now) {
		return Decision{Step: Wait, Until: g.NextAttemptTime.Time}
	}
	return Decision{Step: RetryRun}
}

// nextPublication decides how the site gets from what it has to what is wanted.
func nextPublication(a *v1alpha1.Article, site *v1alpha1.Site, to Target, want Want, now time.Time) Decision {
	cycle := CycleOf(a)
	switch {
	case site == nil, want.Kind == WantBlocked:
		return Decision{Step: Wait}
	case to.Mode == Push && want.retriedBy(cycle) && !want.outOfReach(a, to):
		return nextAttempt(&cycle, now)
	case want.met(a):
		return Decision{Step: Wait}
	case to.Mode == Pull:
		return Decision{Step: ByPull}
	case want.answeredBy(cycle, site):
		return Decision{Step: Wait}
	case to.Mode == Unsupported, want.outOfReach(a, to):
		return Decision{Step: FailUnsupported}
	default:
		return Decision{Step: BeginCycle}
	}
}

// RetryUnwanted returns why the retry that a delivery waits for is no longer wanted; empty if it is wanted or none is waited for.
func RetryUnwanted(a *v1alpha1.Article, site *v1alpha1.Site, want Want) string {
	cycle := CycleOf(a)
	switch {
	case cycle.State != v1alpha1.CycleRetryScheduled, want.Kind == WantBlocked, want.pursuedBy(cycle),
		site == nil && a.Spec.Stage != v1alpha1.StageArchived:
		return ""
	case want.Kind == WantPut && cycle.Purpose == v1alpha1.PurposeRemove:
		return v1alpha1.ReasonNotRequested
	case want.Kind == WantPut:
		return v1alpha1.ReasonContentChanged
	case cycle.Purpose == v1alpha1.PurposeRemove:
		return v1alpha1.ReasonNotRequested
	case want.Reason != "":
		return want.Reason
	case a.Spec.Stage == v1alpha1.StageArchived:
		return v1alpha1.ReasonArchived
	default:
		return v1alpha1.ReasonNotRequested
	}
}

func nextAttempt(cycle *v1alpha1.DeliveryCycle, now time.Time) Decision {
	if cycle.NextAttemptTime != nil && cycle.NextAttemptTime.After(now) {
		return Decision{Step: Wait, Until: cycle.NextAttemptTime.Time}
	}
	return Decision{Step: RetryCycle}
}
