package v1alpha1

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
)
