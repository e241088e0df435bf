package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// EventSelector is an event that a subscription wants, or All.
// +kubebuilder:validation:Enum=All;ReadyForReview;Approved;Rejected;Published;Updated;Unpublished;Failed;SiteFailing
type EventSelector string

// The selectors that are no event.
const (
	// SelectAll selects every event, including those of later versions.
	SelectAll EventSelector = "All"
)

// EventFormat is the form of the messages that a subscription receives.
// +kubebuilder:validation:Enum=Standard;Slack;Teams;GitHub
type EventFormat string

// The formats.
const (
	// FormatStandard is the event as JSON, for programs. It is the default.
	FormatStandard EventFormat = "Standard"
	// FormatSlack is a message for people, for an incoming webhook of Slack.
	FormatSlack EventFormat = "Slack"
	// FormatTeams is a message for people, for a workflow of Microsoft Teams that posts to a channel or chat.
	FormatTeams EventFormat = "Teams"
	// FormatGitHub is the event as a repository_dispatch, which starts workflows of a GitHub repository.
	FormatGitHub EventFormat = "GitHub"
)

// EventSubscriptionSpec says which events are sent to which URL.
// +kubebuilder:validation:XValidation:rule="isURL(self.url) && url(self.url).getScheme() in ['https', 'http'] && size(url(self.url).getHostname()) > 0",message="url must be an http or https URL with a host",fieldPath=".url"
// +kubebuilder:validation:XValidation:rule="!self.url.matches('^[A-Za-z]+://[^/?#]*@')",message="url may not carry user information",fieldPath=".url"
// +kubebuilder:validation:XValidation:rule="!('All' in self.events) || size(self.events) == 1",message="events may not name others beside All",fieldPath=".events"
// +kubebuilder:validation:XValidation:rule="!has(self.format) || self.format != 'GitHub' || self.url.matches('^https://[^/?#]+(/[^/?#]+)*/repos/[^/?#]+/[^/?#]+/dispatches$')",message="url must be https and end with /repos/OWNER/REPOSITORY/dispatches if the format is GitHub",fieldPath=".url"
// +kubebuilder:validation:XValidation:rule="has(self.tokenSecretRef) || !has(self.format) || self.format != 'GitHub'",message="tokenSecretRef must be set if the format is GitHub",fieldPath=".tokenSecretRef"
// +kubebuilder:validation:XValidation:rule="!has(self.tokenSecretRef) || (has(self.format) && self.format == 'GitHub')",message="tokenSecretRef may not be set if the format is not GitHub",fieldPath=".tokenSecretRef"
// +kubebuilder:validation:XValidation:rule="has(self.createdByRef) == has(oldSelf.createdByRef) && (!has(self.createdByRef) || self.createdByRef == oldSelf.createdByRef)",message="createdByRef may not change",fieldPath=".createdByRef"
type EventSubscriptionSpec struct {
	// url to which events are sent by POST. It must be on a public address, which is checked when sending. That of a chat is a secret: who
	// knows it can post there. With the format GitHub it is https and ends with /repos/OWNER/REPOSITORY/dispatches.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`

	// events to send. ReadyForReview: a revision has reached review. Approved: it was approved. Rejected: a reviewer has rejected it.
	// Published: the site has the article. Updated: it has another text of it. Unpublished: its post was taken back. Failed: it could not
	// be generated or delivered. SiteFailing: at least the last 3 attempts to deliver to a site have failed. All stands alone, and means
	// each of them, and those of later versions.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Events []EventSelector `json:"events,omitempty"`

	// format of the messages. Standard is the event as JSON, for programs. Slack and Teams are messages for people, for an incoming webhook
	// of Slack, and for a workflow of Teams that begins with a webhook request: what happened, the title, the site, the score, and a link
	// to the page of the article. GitHub is a repository_dispatch, which starts workflows of a GitHub repository: with an event_type
	// such as pressroom.blog.published, and the event as JSON in client_payload. An event that waits keeps the format that it was made in.
	// The default is Standard.
	// +optional
	Format EventFormat `json:"format,omitempty"`

	// siteRef limits the events to those of one Site and its articles. If unset, they are about all of the workspace.
	// +optional
	SiteRef *LocalReference `json:"siteRef,omitempty"`

	// suspend stops sending: events wait, up to 7 days each, until it is false again. What is in progress ends. The default is false.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// signingSecretRef names the signing secret: whsec_ and the base64 of 24 to 64 random bytes.
	// +required
	SigningSecretRef SecretKeyReference `json:"signingSecretRef,omitempty,omitzero"`

	// previousSigningSecretRef names the secret before a rotation. While it is set, requests are signed with both.
	// +optional
	PreviousSigningSecretRef *SecretKeyReference `json:"previousSigningSecretRef,omitempty"`

	// tokenSecretRef names the access token of GitHub that requests have in the header Authorization. It is required for the format GitHub,
	// and may not be set for another.
	// +optional
	TokenSecretRef *SecretKeyReference `json:"tokenSecretRef,omitempty"`

	// createdByRef is who made the subscription over the REST API or the dashboard. It may not change. One that was made with an API key is
	// deleted with the key. Unset if it was made otherwise.
	// +optional
	CreatedByRef *CreatorReference `json:"createdByRef,omitempty"`
}

// Suspension is the state of a subscription whose receiver has failed for too long.
type Suspension struct {
	// time when the subscription was suspended.
	// +required
	Time MicroTime `json:"time,omitempty,omitzero"`

	// generation of the spec that was suspended. Any change of the spec resumes the subscription.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Generation int64 `json:"generation,omitempty"`
}

// SubscriptionTest is a test event.
type SubscriptionTest struct {
	// time when the controller found the request.
	// +required
	Time MicroTime `json:"time,omitempty,omitzero"`

	// dispatch is Pending until there is an EventDelivery of the test, and then Dispatched. A test is never Dropped.
	// +required
	Dispatch DispatchState `json:"dispatch,omitempty"`

	// delivery names the EventDelivery.
	// +required
	Delivery ObjectName `json:"delivery,omitempty"`
}

// EventSubscriptionStatus shows whether events are sent.
type EventSubscriptionStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// handledRequests are the last requests by pressroom.dev/resume and pressroom.dev/test-event that were handled.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	HandledRequests []HandledRequest `json:"handledRequests,omitempty"`

	// failingSince is when the first attempt after the last accepted one failed. If a delivery fails for good 5 days later or more, the
	// subscription is suspended.
	// +optional
	FailingSince *MicroTime `json:"failingSince,omitempty"`

	// test is the last test event that was asked for.
	// +optional
	Test *SubscriptionTest `json:"test,omitempty"`

	// suspension is set while the subscription is suspended because its receiver has failed for 5 days. Events wait, up to 7 days each.
	// +optional
	Suspension *Suspension `json:"suspension,omitempty"`
}

// EventSubscription sends events about the articles and sites of a workspace to a URL, signed as in Standard Webhooks.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=evsub,categories=pressroom
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.url`
// +kubebuilder:printcolumn:name="Events",type=string,JSONPath=`.spec.events`,priority=1
// +kubebuilder:printcolumn:name="Format",type=string,JSONPath=`.spec.format`,priority=1
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,priority=1
// +kubebuilder:printcolumn:name="Suspended",type=boolean,JSONPath=`.spec.suspend`,priority=1
// +kubebuilder:printcolumn:name="Failing",type=date,JSONPath=`.status.failingSince`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.siteRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.createdByRef.name`
type EventSubscription struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which events are sent to which URL.
	// +required
	Spec EventSubscriptionSpec `json:"spec,omitempty,omitzero"`

	// status shows whether events are sent. Its conditions: Ready, Stalled while it is suspended or cannot be sent to, and Dispatching
	// while EventDeliveries of it are refused.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status EventSubscriptionStatus `json:"status,omitempty,omitzero"`
}

// Suspended reports whether nothing is sent: because spec.suspend is true, or because the receiver has failed for too long.
func (s *EventSubscription) Suspended() bool { return s.Spec.Suspend || s.Status.Suspension != nil }

// EventSubscriptionList is a list of subscriptions.
// +kubebuilder:object:root=true
type EventSubscriptionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []EventSubscription `json:"items"`
}
