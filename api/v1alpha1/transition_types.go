package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	// type of the transition: ReadyForReview, Approved, Rejected, Published or Failed.
	// +required
	Type ArticleEventType `json:"type,omitempty"`

	// revisionNumber is the number of the revision that it is about; for a run that failed, of the revision that the run did not make.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	RevisionNumber int32 `json:"revisionNumber,omitempty"`

	// time when the controller found that it had happened.
	// +required
	Time metav1.MicroTime `json:"time,omitempty,omitzero"`

	// dispatch says how far subscriptions have been told: it is Pending until there is an EventDelivery for each subscription that wants
	// the transition, and then Dispatched. It is unset if no subscription wants it, or if the revision has had such a transition before.
	// +optional
	Dispatch DispatchState `json:"dispatch,omitempty"`

	// by is who decided, of Approved and Rejected: the beginning of spec.review.by, at most 120 bytes as JSON. It is empty if the
	// site's policy has approved.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	By string `json:"by,omitempty"`

	// message is the reviewer's note of Approved and Rejected, and the reason and the cause of Failed: at most 200 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	Message string `json:"message,omitempty"`
}
