// Package lifecycle is the state machine of articles. From an article, the objects that it refers to and the clock it decides the next
// step, the phase, the conditions and what a person may do. It does no I/O and has no state. Its tables are the specification (design,
// section 2, and contract, section 3): Next, Phase, Summarize, EventKinds and Actions, and the table of reasons in its package conditions.
// When a step begins or ends, package record changes status in memory. Packages eventdelivery and connectiontest decide for the other
// objects that are sent to a receiver.
package lifecycle

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

// Step is the one thing to do next for an object. The controller of the object's kind has one handler for each step.
type Step string

// The steps of an article that concern its content.
const (
	// Wait only writes the conditions, until something changes or the decision's time comes.
	Wait Step = "Wait"
	// MakeRevision makes a new revision of the author's content, or of the generated text after the author took it back.
	MakeRevision Step = "MakeRevision"
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
	// StartCycle makes the first attempt of a new delivery cycle.
	StartCycle Step = "StartCycle"
	// StartUpdate makes the first attempt of a new delivery cycle, which sends a published article's other text.
	StartUpdate Step = "StartUpdate"
	// RetryDelivery makes the next attempt of the cycle.
	RetryDelivery Step = "RetryDelivery"
	// FollowDelivery follows an attempt that is in progress.
	FollowDelivery Step = "FollowDelivery"
	// StartUnpublish makes the first attempt of a new delivery cycle, which takes the post of a published article back.
	StartUnpublish Step = "StartUnpublish"
	// UnpublishForPull unpublishes an article of a site that pulls: nothing is sent.
	UnpublishForPull Step = "UnpublishForPull"
	// PublishForPull publishes an article of a site that pulls, or its other text: nothing is sent.
	PublishForPull Step = "PublishForPull"
	// CancelDelivery ends a cycle that waits for a retry which is no longer wanted.
	CancelDelivery Step = "CancelDelivery"
	// FailUnsupported ends publishing to a CMS that cannot be published to.
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
}

// Next decides what to do for an article. site is nil if it does not exist; mode is how articles get to it.
func Next(a *v1alpha1.Article, site *v1alpha1.Site, mode Mode, now time.Time) Decision {
	switch {
	case !a.DeletionTimestamp.IsZero():
		return Decision{Step: Wait}
	case RunOpen(a):
		return Decision{Step: FollowRun}
	case OpenDelivery(a) != nil:
		return Decision{Step: FollowDelivery}
	case a.Status.Run != nil && a.Status.Run.Charge == v1alpha1.RefundDue:
		return Decision{Step: RefundRun}
	case creditUnwanted(a, site):
		return Decision{Step: ReturnCredit}
	case RetryUnwanted(a, site, now) != "":
		return Decision{Step: CancelDelivery}
	case UnpublishCause(a, site) != "":
		return nextUnpublish(a, mode, now)
	case a.Spec.Stage == v1alpha1.StageArchived, site == nil:
		return Decision{Step: Wait}
	case superseded(a):
		return Decision{Step: Supersede}
	case revisionWanted(a):
		return Decision{Step: MakeRevision}
	case RunWanted(a):
		return nextRun(a, now)
	default:
		return nextPublication(a, site, mode, now)
	}
}

// creditUnwanted reports whether an article has paid for a run that is not wanted: the author has written the text, the article is
// archived, or its site was deleted. A blocked run is wanted.
func creditUnwanted(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	p := a.Status.Prepaid
	return p != nil && (p.Charge == v1alpha1.RefundDue || !RunWanted(a) || a.Spec.Stage == v1alpha1.StageArchived || site == nil)
}

// superseded reports whether a run waits for its retry and the author has written the text since it began.
func superseded(a *v1alpha1.Article) bool {
	g := a.Status.Run
	return g != nil && g.State == v1alpha1.RunRetryScheduled && (a.Spec.Generate == nil || Written(a))
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

func nextPublication(a *v1alpha1.Article, site *v1alpha1.Site, mode Mode, now time.Time) Decision {
	if !current(a) {
		return Decision{Step: Wait}
	}
	wanted := !Settled(a) && isPublicationRequested(a) && approvedIf(a, approvedBySite(a, site))
	switch {
	case Published(a) && !(wanted && !early(a, now)):
		return sooner(nextRedelivery(a, mode, now), a, wanted)
	case !wanted, Withheld(a) && !RedeliveryAsked(a):
		return Decision{Step: Wait}
	case early(a, now):
		return Decision{Step: Wait, Until: NotBefore(a)}
	case mode == Pull:
		return Decision{Step: PublishForPull}
	case mode == Push:
		return nextDelivery(a, site, now)
	case Published(a), DeliveryFailed(a):
		return Decision{Step: Wait}
	default:
		return Decision{Step: FailUnsupported}
	}
}

// sooner makes a wait end when the time of an update comes that waits for nothing else.
func sooner(d Decision, a *v1alpha1.Article, scheduled bool) Decision {
	if at := NotBefore(a); scheduled && d.Step == Wait && !at.IsZero() && (d.Until.IsZero() || at.Before(d.Until)) {
		d.Until = at
	}
	return d
}

// nextDelivery decides for an approved article that is sent to its site.
func nextDelivery(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) Decision {
	p := a.Status.Publication
	if p == nil || p.Cycle == nil || p.Cycle.State == v1alpha1.CycleCancelled || Sending(p).Name != a.Status.Revision.Name ||
		Unpublished(a) && p.Cycle.Unpublish != "" || RedeliveryAsked(a) || connectionChanged(p.Cycle, site) {
		if Published(a) {
			return Decision{Step: StartUpdate}
		}
		return Decision{Step: StartCycle}
	}
	return nextAttempt(p.Cycle, now)
}

// RetryUnwanted returns why the retry that a delivery waits for is no longer wanted; empty if it is wanted or none is waited for. The
// redelivery of a published article goes on until the article is archived.
func RetryUnwanted(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) string {
	p := a.Status.Publication
	switch {
	case p == nil || p.Cycle == nil || p.Cycle.State != v1alpha1.CycleRetryScheduled:
		return ""
	case !Unpublishing(a, v1alpha1.CycleRetryScheduled):
		return sendingUnwanted(a, site, now)
	case UnpublishCause(a, site) == "" && site != nil:
		return v1alpha1.ReasonNotRequested
	default:
		return ""
	}
}

// sendingUnwanted is retryUnwanted of a delivery that sends the article.
func sendingUnwanted(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) string {
	p, r := a.Status.Publication, a.Status.Revision
	switch {
	case isArchived(a):
		return v1alpha1.ReasonArchived
	case Published(a) && p.Cycle.Revision == nil, site == nil, r == nil:
		return ""
	case Published(a) && Frozen(a):
		return v1alpha1.ReasonUpdatesFrozen
	case !isPublicationRequested(a):
		return v1alpha1.ReasonNotRequested
	case Outdated(a), RunWanted(a), Sending(p).Name != r.Name && Published(a):
		return v1alpha1.ReasonContentChanged
	case !approvedIf(a, approvedBySite(a, site)):
		return v1alpha1.ReasonNotApproved
	case early(a, now):
		return v1alpha1.ReasonScheduled
	default:
		return ""
	}
}

// nextRedelivery decides for a published article whose other text, if it has one, is not due. Only a redelivery that was requested can be.
func nextRedelivery(a *v1alpha1.Article, mode Mode, now time.Time) Decision {
	cycle := a.Status.Publication.Cycle
	if mode != Push || Frozen(a) && a.Status.Publication.Revision.Name != a.Status.Revision.Name {
		return Decision{Step: Wait}
	}
	if RedeliveryAsked(a) {
		return Decision{Step: StartCycle}
	}
	if cycle == nil {
		return Decision{Step: Wait}
	}
	return nextAttempt(cycle, now)
}

func nextAttempt(cycle *v1alpha1.DeliveryCycle, now time.Time) Decision {
	if cycle.State != v1alpha1.CycleRetryScheduled {
		return Decision{Step: Wait}
	}
	if cycle.NextAttemptTime != nil && cycle.NextAttemptTime.After(now) {
		return Decision{Step: Wait, Until: cycle.NextAttemptTime.Time}
	}
	return Decision{Step: RetryDelivery}
}

// RedeliveryAsked reports whether a nonce asks for a cycle that has not begun.
func RedeliveryAsked(a *v1alpha1.Article) bool {
	return a.Status.Publication != nil && (attempts.Asked(a, a.Status.HandledRequests, v1alpha1.RedeliverAnnotation) ||
		attempts.Asked(a, a.Status.HandledRequests, v1alpha1.OverwriteAnnotation))
}
