package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ArticleEventType is a transition of an article that subscriptions can receive, or the test of a subscription. More types
// may come.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type ArticleEventType string

// The transitions. lifecycle.EventKinds has a row for each, with its name over HTTP.
const (
	// EventReadyForReview means that a revision has reached review, also if the site's policy approves it at once.
	EventReadyForReview ArticleEventType = "ReadyForReview"
	// EventApproved means that a revision was approved.
	EventApproved ArticleEventType = "Approved"
	// EventRejected means that a reviewer rejected a revision.
	EventRejected ArticleEventType = "Rejected"
	// EventPublished means that the site has the article.
	EventPublished ArticleEventType = "Published"
	// EventFailed means that generating or delivering the article ended in failure.
	EventFailed ArticleEventType = "Failed"

	// EventTest is no transition but a test: of an EventDelivery alone.
	EventTest ArticleEventType = "Test"
)

// ArticleEventState says whether a transition has been dispatched to the subscriptions that want it.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type ArticleEventState string

// The states of an event in an article's outbox.
const (
	// EventPending waits for its EventDeliveries to be made.
	EventPending ArticleEventState = "Pending"
	// EventDispatched has all its EventDeliveries. It is kept while the article has the revision, so that it is dispatched once.
	EventDispatched ArticleEventState = "Dispatched"
)

// MaxArticleEvents bounds an article's outbox: every transition of a revision, the failure of a run, and some that wait.
const MaxArticleEvents = 8

// ArticleEvent is a transition in an article's outbox. It is written in the same write as the transition itself.
type ArticleEvent struct {
	// type of the transition: ReadyForReview, Approved, Rejected, Published or Failed.
	// +required
	Type ArticleEventType `json:"type,omitempty"`

	// revisionNumber is the number of the revision that it is about; for a run that failed, of the revision that the run did not make.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	RevisionNumber int32 `json:"revisionNumber,omitempty"`

	// time when it happened.
	// +required
	Time metav1.MicroTime `json:"time,omitempty,omitzero"`

	// state is Pending until each subscription that wants the transition has an EventDelivery of it, and Dispatched from then on.
	// +required
	State ArticleEventState `json:"state,omitempty"`
}
