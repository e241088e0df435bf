package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MaxEventBytes bounds the body of an event.
const MaxEventBytes = 16384

// EventDeliverySpec is one event for one subscription. It may not change.
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a delivery may not change: the same bytes are sent on every attempt",fieldPath=".body"
// +kubebuilder:validation:XValidation:rule="has(self.articleRef) != (self.type in ['Test', 'SiteFailing'])",message="articleRef must be set, except for a test and SiteFailing",fieldPath=".articleRef"
// +kubebuilder:validation:XValidation:rule="size(bytes(self.body)) <= 16384",message="body must be at most 16384 bytes",fieldPath=".body"
type EventDeliverySpec struct {
	// subscriptionRef names the EventSubscription, in the same namespace, that the event is for.
	// +required
	SubscriptionRef LocalReference `json:"subscriptionRef,omitempty,omitzero"`

	// articleRef names the Article that the event is about. A test and SiteFailing have none.
	// +optional
	ArticleRef LocalReference `json:"articleRef,omitempty,omitzero"`

	// siteRef names the Site that the event, or its article, belongs to. While the Site is suspended, the event waits, even if the article
	// does not exist any more.
	// +optional
	SiteRef LocalReference `json:"siteRef,omitempty,omitzero"`

	// type of the event, as in spec.events of the EventSubscription: ReadyForReview, Approved, Rejected, Published, Updated, Unpublished,
	// Failed or SiteFailing; or Test.
	// +required
	Type ArticleEventType `json:"type,omitempty"`

	// time when the event happened.
	// +required
	Time MicroTime `json:"time,omitempty,omitzero"`

	// body of the request, byte for byte, at most 16384 bytes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16384
	Body string `json:"body,omitempty"`
}

// EventDeliveryStatus describes the state of the delivery.
type EventDeliveryStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// handledRequests are the last requests by pressroom.dev/redeliver that were handled.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	HandledRequests []HandledRequest `json:"handledRequests,omitempty"`

	// What was sent, and the answers.
	DeliveryRecord `json:",inline"`

	// finishTime is when the cycle ended. The object is deleted 24 hours later if the event was delivered, else 7 days later.
	// +optional
	FinishTime *MicroTime `json:"finishTime,omitempty"`
}

// EventDelivery is the delivery of one event to one subscription. Its name is also the webhook-id that receivers see.
// +kubebuilder:object:root=true
// +kubebuilder:ac:generate=false
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=evd,categories=pressroom
// +kubebuilder:printcolumn:name="Subscription",type=string,JSONPath=`.spec.subscriptionRef.name`,priority=1
// +kubebuilder:printcolumn:name="Event",type=string,JSONPath=`.spec.type`
// +kubebuilder:printcolumn:name="Article",type=string,JSONPath=`.spec.articleRef.name`,priority=1
// +kubebuilder:printcolumn:name="Delivered",type=string,JSONPath=`.status.conditions[?(@.type=="Delivered")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Delivered")].reason`
// +kubebuilder:printcolumn:name="HTTP",type=integer,JSONPath=`.status.attempts[-1:].httpStatus`,priority=1
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Delivered")].message`,priority=1
// +kubebuilder:printcolumn:name="Next",type=string,JSONPath=`.status.cycle.nextAttemptTime`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.subscriptionRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.articleRef.name`
type EventDelivery struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is one event for one subscription.
	// +required
	Spec EventDeliverySpec `json:"spec,omitempty,omitzero"`

	// status describes the state of the delivery. Its conditions: Delivered and Ready; Reconciling and Stalled while True.
	// +optional
	// +structType=atomic
	// +kubebuilder:default={"observedGeneration":-1}
	Status EventDeliveryStatus `json:"status,omitempty,omitzero"`
}

// EventDeliveryList is a list of deliveries.
// +kubebuilder:object:root=true
type EventDeliveryList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []EventDelivery `json:"items"`
}
