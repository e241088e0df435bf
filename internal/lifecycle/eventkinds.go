package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// EventKind is one kind of event.
type EventKind struct {
	// Type in the Kubernetes API.
	Type v1alpha1.ArticleEventType
	// Name over HTTP, such as blog.ready_for_review.
	Name string
	// Status is the article's status over HTTP after the event; empty of an event that is about no article.
	Status string
	// Summary is one line for people.
	Summary string
	// happened is nil of an event that is about no article.
	happened func(change) (number int32, happened bool)
}

// EventKinds lists every kind of event, in the order in which they happen. A new kind is a value of the enums in
// api/v1alpha1 and a row here: the outbox, the REST API and its OpenAPI document range over this table.
var EventKinds = []EventKind{
	{v1alpha1.EventReadyForReview, "blog.ready_for_review", "review", "An article reached review", ofRevision(reachedReview)},
	{v1alpha1.EventApproved, "blog.approved", "approved", "An article was approved", ofRevision(becameApproved)},
	{v1alpha1.EventRejected, "blog.rejected", "rejected", "An article was rejected", ofRevision(becameRejected)},
	{v1alpha1.EventPublished, "blog.published", "published", "An article was published", ofRevision(becamePublished)},
	{v1alpha1.EventUpdated, "blog.updated", "published", "The site has another text of a published article", becameUpdated},
	{v1alpha1.EventUnpublished, "blog.unpublished", "approved", "The post of a published article was taken back", becameUnpublished},
	{v1alpha1.EventFailed, "blog.failed", "failed", "Generating or delivering an article failed", becameFailed},
	{v1alpha1.EventSiteFailing, "site.failing", "", "Deliveries to a site fail", nil},
}

// Happened reports whether a change of an article makes the event, and the number of the revision or run that the event is about. Both
// states have the newest spec.
func (k EventKind) Happened(before, after *v1alpha1.Article, site *v1alpha1.Site, now time.Time) (number int32, happened bool) {
	if k.happened == nil {
		return 0, false
	}
	return k.happened(change{before, after, site, now})
}

// TestEvent is the name over HTTP of a test of a subscription. Nobody subscribes to it.
const TestEvent = "subscription.test"

// EventKindOf returns the row of a type; the zero EventKind if there is none, which the enum of the CRD rules out.
func EventKindOf(t v1alpha1.ArticleEventType) EventKind {
	for _, kind := range EventKinds {
		if kind.Type == t {
			return kind
		}
	}
	return EventKind{}
}

// EventName returns the name over HTTP of what a delivery is about.
func EventName(d *v1alpha1.EventDelivery) string {
	if d.Spec.Type == v1alpha1.EventTest {
		return TestEvent
	}
	return EventKindOf(d.Spec.Type).Name
}

// change is an article before and after a write of its status.
type change struct {
	before, after *v1alpha1.Article
	site          *v1alpha1.Site
	now           time.Time
}

// ofRevision is about the current revision: without one nothing has happened.
func ofRevision(happened func(change) bool) func(change) (int32, bool) {
	return func(c change) (int32, bool) {
		r := c.after.Status.Revision
		if r == nil || !happened(c) {
			return 0, false
		}
		return r.Number, true
	}
}

// newRevision reports whether the current revision is another than before.
func (c change) newRevision() bool {
	old := c.before.Status.Revision
	return old == nil || old.Name != c.after.Status.Revision.Name
}

// finished reports whether the current revision is what the article asks for, and no run is to replace it: nobody is asked to read
// a text that is outdated.
func (c change) finished() bool {
	return current(c.after, c.site) && !generating(MakingOf(c.after, c.site))
}

func generating(m Making) bool { return m == RunInProgress || m == RunDue }

// reachedReview also holds if the site's policy approves the revision at once, and if the run that was to replace the revision has
// failed: the run may have begun before an event about the revision.
func reachedReview(c change) bool {
	if !c.newRevision() && !withheld(c.before) && !generating(MakingOf(c.before, c.site)) || !c.finished() {
		return false
	}
	shown := c.after.Spec.Stage == v1alpha1.StageReview || c.after.Spec.Stage == v1alpha1.StagePublished
	return shown && (!Published(c.after) || Pending(c.after, c.site))
}

// becameApproved does not hold for the text that the site has already: it comes back when another one is discarded, and nobody approves it
// then.
func becameApproved(c change) bool {
	back := c.newRevision() && Published(c.after) && !Pending(c.after, c.site)
	return !back && c.became(ReviewApproved)
}

func becameRejected(c change) bool { return c.became(ReviewRejected) }

// became reports whether a decision is new: it holds for a finished new revision, or began to hold for the same revision.
func (c change) became(decision Review) bool {
	if recordedReview(c.after) != decision {
		return false
	}
	return c.newRevision() && c.finished() || !c.newRevision() && recordedReview(c.before) != decision
}

func becamePublished(c change) bool {
	return Published(c.after) && !Published(c.before)
}

// becameUpdated is about the revision that the site has.
func becameUpdated(c change) (int32, bool) {
	if !Published(c.before) || !Published(c.after) {
		return 0, false
	}
	return Have(c.after).Revision.Number, !Have(c.after).UpdateTime.Equal(Have(c.before).UpdateTime)
}

// becameUnpublished is about the revision that the site had.
func becameUnpublished(c change) (int32, bool) {
	if !Published(c.before) || !Unpublished(c.after) {
		return 0, false
	}
	return Have(c.before).Revision.Number, true
}

// becameFailed is about the revision that could not be delivered, or the run that made none.
func becameFailed(c change) (int32, bool) {
	if Phase(c.after, c.site, c.now) != v1alpha1.PhaseFailed {
		return 0, false
	}
	if Phase(c.before, c.site, c.now) == v1alpha1.PhaseFailed && !withheld(c.before) {
		return 0, false
	}
	if DeliveryFailed(c.after, c.site) {
		return c.after.Status.Revision.Number, true
	}
	return c.after.Status.Run.Number, true
}

// withheld reports whether the article was a draft or archived when status was written. Only the condition says so: the spec has the
// newer stage.
func withheld(a *v1alpha1.Article) bool {
	ready := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady)
	return ready != nil && (ready.Reason == v1alpha1.ReasonDraft || ready.Reason == v1alpha1.ReasonArchived)
}

// recordedReview returns the decision that the condition Approved has, by a reviewer or by the site's policy.
func recordedReview(a *v1alpha1.Article) Review {
	switch c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved); {
	case c == nil:
		return ReviewOpen
	case c.Status == metav1.ConditionTrue:
		return ReviewApproved
	case c.Reason == v1alpha1.ReasonRejected:
		return ReviewRejected
	default:
		return ReviewOpen
	}
}
