package v1alpha1

const (
	// MaxTransitions bounds the transitions that an article's status keeps.
	MaxTransitions = 12
	// MaxOutbox bounds those of them that wait to be dispatched, or that are kept so that they are dispatched once: every transition of the
	// current revision, the failure of the run, and some that wait.
	MaxOutbox = 8
	// MaxTransitionByBytes bounds by of a transition, in bytes of JSON.
	MaxTransitionByBytes = 120
	// MaxTransitionMessageBytes bounds the message of a transition, in bytes of JSON.
	MaxTransitionMessageBytes = 200
)

// ArticleTransition is something that happened to an article, for people and for subscriptions.
type ArticleTransition struct {
	// type of the transition: ReadyForReview, Approved, Rejected, Published, Updated, Unpublished or Failed.
	// +required
	Type ArticleEventType `json:"type,omitempty"`

	// revisionNumber is that of the revision, which a run that failed did not make.
	// +required
	RevisionNumber RevisionNumber `json:"revisionNumber,omitempty"`

	// time when the controller found that it had happened.
	// +required
	Time MicroTime `json:"time,omitempty,omitzero"`

	// dispatch is Pending until there is an EventDelivery for each subscription that wants the transition, and then Dispatched. Dropped
	// means that some could not be made, while more than 8 transitions waited. Unset if no subscription wants the transition, or if the
	// revision has had such a transition before.
	// +optional
	Dispatch DispatchState `json:"dispatch,omitempty"`

	// by is who decided, of Approved and Rejected: the beginning of spec.review.by, at most 120 bytes as JSON. Unset if the site's policy
	// has approved.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	By string `json:"by,omitempty"`

	// message is the reviewer's note of Approved and Rejected, and the reason and the cause of Failed: at most 200 bytes as JSON.
	// +optional
	Message ShortText `json:"message,omitempty"`
}

// ArticleEventType is a transition of an article that subscriptions can receive, an event of a site, or the test of a subscription. More
// types may come.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type ArticleEventType string

// The transitions. lifecycle.EventKinds has a row for each, with its name over HTTP.
const (
	// EventReadyForReview means that a revision has reached review, even if the site's policy approves it at once.
	EventReadyForReview ArticleEventType = "ReadyForReview"
	// EventApproved means that a revision was approved.
	EventApproved ArticleEventType = "Approved"
	// EventRejected means that a reviewer rejected a revision.
	EventRejected ArticleEventType = "Rejected"
	// EventPublished means that the site has the article.
	EventPublished ArticleEventType = "Published"
	// EventUpdated means that the site has another text of a published article.
	EventUpdated ArticleEventType = "Updated"
	// EventUnpublished means that the post of a published article was taken back.
	EventUnpublished ArticleEventType = "Unpublished"
	// EventFailed means that generating or delivering the article ended in failure.
	EventFailed ArticleEventType = "Failed"

	// EventSiteFailing is no transition of an article: at least the last 3 attempts to deliver to a site have failed.
	EventSiteFailing ArticleEventType = "SiteFailing"
	// EventTest is no transition but a test: of an EventDelivery alone.
	EventTest ArticleEventType = "Test"
)

// DispatchState says whether there is an EventDelivery for each subscription that wants a transition, or of a test. More states may come.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type DispatchState string

// The states of dispatching.
const (
	// DispatchPending waits for its EventDeliveries to be made.
	DispatchPending DispatchState = "Pending"
	// DispatchDone has all its EventDeliveries.
	DispatchDone DispatchState = "Dispatched"
	// DispatchDropped lacks some of its EventDeliveries, and gets no more.
	DispatchDropped DispatchState = "Dropped"
)
