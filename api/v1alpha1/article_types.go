package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ArticleStage is how far the author wants an article to go.
// +kubebuilder:validation:Enum=Draft;Review;Published;Archived
type ArticleStage string

// The stages.
const (
	StageDraft     ArticleStage = "Draft"
	StageReview    ArticleStage = "Review"
	StagePublished ArticleStage = "Published"
	StageArchived  ArticleStage = "Archived"
)

// ReviewDecision is a reviewer's word.
// +kubebuilder:validation:Enum=Approved;Rejected
type ReviewDecision string

// The decisions.
const (
	DecisionApproved ReviewDecision = "Approved"
	DecisionRejected ReviewDecision = "Rejected"
)

// ArticlePhase sums up where an article is (contract, section 3; lower case over REST).
// +kubebuilder:validation:Enum=Draft;Generating;Review;Approved;Rejected;Scheduled;Published;Failed;Archived
type ArticlePhase string

// The phases.
const (
	PhaseDraft      ArticlePhase = "Draft"
	PhaseGenerating ArticlePhase = "Generating"
	PhaseReview     ArticlePhase = "Review"
	PhaseApproved   ArticlePhase = "Approved"
	PhaseRejected   ArticlePhase = "Rejected"
	PhaseScheduled  ArticlePhase = "Scheduled"
	PhasePublished  ArticlePhase = "Published"
	PhaseFailed     ArticlePhase = "Failed"
	PhaseArchived   ArticlePhase = "Archived"
)

// ArticleSpec is what the author and the reviewer want of an article.
// +kubebuilder:validation:XValidation:rule="has(self.generate) || has(self.content)",message="generate or content must be set: an article is generated, written, or both"
// +kubebuilder:validation:XValidation:rule="has(self.generate) || !has(self.content) || (has(self.content.title) && has(self.content.markdown))",message="content must have title and markdown where generate is not set",fieldPath=".content"
// +kubebuilder:validation:XValidation:rule="self.siteRef.name == oldSelf.siteRef.name",message="siteRef may not change: create another article",fieldPath=".siteRef"
// +kubebuilder:validation:XValidation:rule="!has(self.content) || !has(self.content.markdown) || size(bytes(self.content.markdown)) <= 262144",message="content.markdown must be at most 262144 bytes",fieldPath=".content.markdown"
// +kubebuilder:validation:XValidation:rule="!has(self.review) || self.review.decision != 'Approved' || has(self.review.digest) || (has(self.content) && has(self.content.markdown))",message="review.digest must name the content that is approved (status.revision.digest); it may be left out only where content.markdown is in the same manifest",fieldPath=".review"
type ArticleSpec struct {
	// siteRef names the Site, in the same namespace, that the article is for. It may not change. The Site may come later.
	// +required
	SiteRef LocalReference `json:"siteRef"`

	// generate asks for a generated article. A changed request, or a new nonce in the annotation
	// pressroom.dev/regenerate, makes a new revision.
	// +optional
	Generate *GenerateRequest `json:"generate,omitempty"`

	// content is the author's own text. With markdown, nothing is generated but by pressroom.dev/regenerate; without it,
	// the fields that are set take the place of the generated ones.
	// +optional
	Content *ArticleContent `json:"content,omitempty"`

	// stage is how far the author wants the article to go: Draft, Review, Published or Archived.
	// +optional
	// +kubebuilder:default=Review
	Stage ArticleStage `json:"stage,omitempty"`

	// publishAfter is the time before which the article is not published.
	// +optional
	PublishAfter *metav1.Time `json:"publishAfter,omitempty"`

	// review is the reviewer's word. Changing it needs the verb approve on articles.
	// +optional
	Review *ArticleReview `json:"review,omitempty"`
}

// GenerateRequest asks for a generated article (contract, section 4).
type GenerateRequest struct {
	// keyword that the article is written for, 2 to 200 characters.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=200
	Keyword string `json:"keyword"`

	// secondaryKeywords that the article also speaks of, at most 10.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=200
	SecondaryKeywords []string `json:"secondaryKeywords,omitempty"`

	// tone takes the place of the site's brandVoice.tone, at most 200 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=200
	Tone string `json:"tone,omitempty"`
}

// ArticleContent is the author's own text.
// +kubebuilder:validation:MinProperties=1
type ArticleContent struct {
	// title of the article, at most 300 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	Title string `json:"title,omitempty"`

	// slug that the article should have: lower-case letters, digits and single hyphens, at most 100 characters. Where
	// another article of the site has it, a number is added. Made from the title where unset.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	// +kubebuilder:validation:Pattern=`^[a-z0-9]+(-[a-z0-9]+)*$`
	Slug string `json:"slug,omitempty"`

	// markdown is the body as CommonMark with GitHub's tables, without the title, at most 262144 bytes of UTF-8.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1048576
	Markdown string `json:"markdown,omitempty"`

	// metaTitle for the HTML title element, at most 300 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	MetaTitle string `json:"metaTitle,omitempty"`

	// metaDescription for the meta description element, at most 1000 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1000
	MetaDescription string `json:"metaDescription,omitempty"`

	// faq holds questions and answers; they are not part of the body. At most 50.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=50
	FAQ []FAQ `json:"faq,omitempty"`
}

// ArticleReview is a reviewer's word on one content.
type ArticleReview struct {
	// decision is Approved or Rejected.
	// +required
	Decision ReviewDecision `json:"decision"`

	// digest of the content that the reviewer saw, from status.revision.digest. Another content is in review again. It
	// may be left out where content.markdown is in the same manifest, and in a rejection, which then means whatever is current.
	// +optional
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	// +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$`
	Digest string `json:"digest,omitempty"`

	// by is the reviewer: the requesting user's name, or another's where the user holds the verb attest on articles.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	By string `json:"by"`

	// note says why, at most 2000 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=2000
	Note string `json:"note,omitempty"`
}

// ArticleStatus says where an article is.
type ArticleStatus struct {
	// conditions of the article: Generated, Approved, Published and Ready; Reconciling and Stalled while True.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=8
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// observedGeneration is the generation of the spec that the conditions speak of; -1 before the first look.
	// +optional
	// +kubebuilder:default=-1
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=1000000000000
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// phase sums the article up. It is derived, and nothing is decided by it.
	// +optional
	Phase ArticlePhase `json:"phase,omitempty"`

	// slug that the article has claimed in its site. It no longer changes from the first attempt to publish on.
	// +optional
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug,omitempty"`

	// lastRevisionNumber is the highest number given to a revision or to a run that will make one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	LastRevisionNumber int64 `json:"lastRevisionNumber,omitempty"`

	// revision is the current revision.
	// +optional
	Revision *CurrentRevision `json:"revision,omitempty"`

	// generation is the last run of the generator.
	// +optional
	Generation *GenerationRun `json:"generation,omitempty"`

	// publication is how publishing stands.
	// +optional
	Publication *Publication `json:"publication,omitempty"`

	// events is the outbox: the transitions that subscriptions want, each written together with the transition itself.
	// It is empty where no subscription wants any.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Events []ArticleEvent `json:"events,omitempty"`
}

// CurrentRevision sums up the current revision, so that lists need not read it.
type CurrentRevision struct {
	// name of the ArticleRevision.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// number of the revision.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	Number int64 `json:"number"`

	// digest of the content, to be named by an approval.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest"`

	// contentHash is the SHA-256 of the spec.content that the revision has taken in; empty where there was none.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	ContentHash string `json:"contentHash,omitempty"`

	// title of the article.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	Title string `json:"title"`

	// source of the text.
	// +required
	Source RevisionSource `json:"source"`

	// seoScore is 0 to 100.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	SEOScore int32 `json:"seoScore"`

	// createdAt is when the revision was made.
	// +required
	CreatedAt metav1.MicroTime `json:"createdAt"`
}

// RunState says how a run stands.
// +kubebuilder:validation:Enum=Running;RetryScheduled;Succeeded;Failed;Superseded
type RunState string

// The states of a run.
const (
	// RunRunning has an attempt under way.
	RunRunning RunState = "Running"
	// RunRetryScheduled waits for nextAttemptAt.
	RunRetryScheduled RunState = "RetryScheduled"
	// RunSucceeded has made its revision.
	RunSucceeded RunState = "Succeeded"
	// RunFailed has ended without one.
	RunFailed RunState = "Failed"
	// RunSuperseded was given up because the author wrote the text.
	RunSuperseded RunState = "Superseded"
)

// ChargeState says how the credit of a run stands.
// +kubebuilder:validation:Enum=Charged;RefundDue;Refunded
type ChargeState string

// The states of a charge.
const (
	// Charged is a credit taken.
	Charged ChargeState = "Charged"
	// RefundDue is a credit to be given back, because the run failed.
	RefundDue ChargeState = "RefundDue"
	// Refunded is a credit given back.
	Refunded ChargeState = "Refunded"
)

// GenerationRun is a run of the generator: one credit, one revision, one or more attempts.
type GenerationRun struct {
	// id of the run, which is the name of the revision that it makes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	ID string `json:"id"`

	// number of the revision that it makes.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	Number int64 `json:"number"`

	// requestHash is the SHA-256 of the spec.generate that the run answers.
	// +required
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	RequestHash string `json:"requestHash"`

	// nonce of the pressroom.dev/regenerate that the run answers.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Nonce string `json:"nonce,omitempty"`

	// state of the run.
	// +required
	State RunState `json:"state"`

	// charge says how the run's credit stands.
	// +required
	Charge ChargeState `json:"charge"`

	// attempt counts the attempts from 1. Each is written here before the model is called.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	Attempt int32 `json:"attempt"`

	// holder is the controller process that makes the attempt.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Holder string `json:"holder,omitempty"`

	// startedAt is when the attempt began.
	// +required
	StartedAt metav1.MicroTime `json:"startedAt"`

	// finishedAt is when the attempt ended.
	// +optional
	FinishedAt *metav1.MicroTime `json:"finishedAt,omitempty"`

	// nextAttemptAt is when the next attempt is due.
	// +optional
	NextAttemptAt *metav1.MicroTime `json:"nextAttemptAt,omitempty"`

	// reason of the last failure: one of the reasons of the condition Generated.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`

	// message of the last failure, at most 500 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=500
	Message string `json:"message,omitempty"`

	// type of the backend.
	// +required
	Type GeneratorType `json:"type"`

	// model that is asked, and then the one that answered, as the endpoint named it.
	// +optional
	// +kubebuilder:validation:MaxLength=200
	Model string `json:"model,omitempty"`

	// step that the attempt is in, from 1, written at most once a minute.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Step int32 `json:"step,omitempty"`

	// steps that the attempt has.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Steps int32 `json:"steps,omitempty"`

	// progressAt is when step was written.
	// +optional
	ProgressAt *metav1.MicroTime `json:"progressAt,omitempty"`

	// inputTokens that the endpoint counted over all turns of all attempts.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	InputTokens int64 `json:"inputTokens,omitempty"`

	// outputTokens that the endpoint counted over all turns of all attempts.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	OutputTokens int64 `json:"outputTokens,omitempty"`
}

// PublicationState says how publishing stands. Delivering and Published freeze the article's generate and content.
// +kubebuilder:validation:Enum=Delivering;RetryScheduled;Published;Failed
type PublicationState string

// The states of a publication.
const (
	// PublicationDelivering has an attempt on the wire.
	PublicationDelivering PublicationState = "Delivering"
	// PublicationRetryScheduled waits for nextAttemptAt.
	PublicationRetryScheduled PublicationState = "RetryScheduled"
	// PublicationPublished was accepted by the receiver, or may be pulled.
	PublicationPublished PublicationState = "Published"
	// PublicationFailed used up its retries or ended finally.
	PublicationFailed PublicationState = "Failed"
)

// Publication is how publishing a revision stands.
type Publication struct {
	// state of the publication. A redelivery that fails leaves it Published.
	// +required
	State PublicationState `json:"state"`

	// revision that is published, by name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Revision string `json:"revision"`

	// digest of the content that is published.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest"`

	// publishedAt is when the receiver first accepted the article.
	// +optional
	PublishedAt *metav1.MicroTime `json:"publishedAt,omitempty"`

	// url of the live post, an http or https URL as the receiver named it; empty where it named none.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`

	// externalID of the post, as the receiver named it; the slug where it named none.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	ExternalID string `json:"externalID,omitempty"`

	// cycle is the last delivery cycle. A site of the type None has none.
	// +optional
	Cycle *DeliveryCycle `json:"cycle,omitempty"`
}

// DeliveryCycle is one try and up to three retries (contract, section 6).
type DeliveryCycle struct {
	// number counts the cycles of an article from 1.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	Number int32 `json:"number"`

	// nonce of the pressroom.dev/redeliver that the cycle answers.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Nonce string `json:"nonce,omitempty"`

	// state of the cycle.
	// +required
	State CycleState `json:"state"`

	// reason that the cycle ended or waits for: one of the reasons of the condition Published.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`

	// nextAttemptAt is when the next attempt is due.
	// +optional
	NextAttemptAt *metav1.MicroTime `json:"nextAttemptAt,omitempty"`

	// attempts of the cycle, oldest first. Each is written here before the request is sent.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	Attempts []DeliveryAttempt `json:"attempts,omitempty"`
}

// CycleState says how a delivery cycle stands.
// +kubebuilder:validation:Enum=Delivering;RetryScheduled;Delivered;Failed
type CycleState string

// The states of a delivery cycle.
const (
	CycleDelivering     CycleState = "Delivering"
	CycleRetryScheduled CycleState = "RetryScheduled"
	CycleDelivered      CycleState = "Delivered"
	CycleFailed         CycleState = "Failed"
)

// AttemptOutcome says how an attempt ended.
// +kubebuilder:validation:Enum=OnTheWire;Accepted;Rejected;Timeout;ConnectionFailed;AddressBlocked;Unknown
type AttemptOutcome string

// The outcomes of an attempt.
const (
	// AttemptOnTheWire has been sent, or is about to be, and has not ended.
	AttemptOnTheWire AttemptOutcome = "OnTheWire"
	// AttemptAccepted was answered with 2xx in time.
	AttemptAccepted AttemptOutcome = "Accepted"
	// AttemptRejected was answered with another status; a redirect counts as one.
	AttemptRejected AttemptOutcome = "Rejected"
	// AttemptTimeout was not answered within 30 seconds.
	AttemptTimeout AttemptOutcome = "Timeout"
	// AttemptConnectionFailed never got an answer: name look-up, connection or TLS failed, or the connection broke.
	AttemptConnectionFailed AttemptOutcome = "ConnectionFailed"
	// AttemptAddressBlocked was not sent, because the address is not public.
	AttemptAddressBlocked AttemptOutcome = "AddressBlocked"
	// AttemptUnknown was under way when its process ended. It may have reached the receiver, and counts.
	AttemptUnknown AttemptOutcome = "Unknown"
)

// DeliveryAttempt is one request to the receiver.
type DeliveryAttempt struct {
	// id of the attempt, a UUID.
	// +required
	// +kubebuilder:validation:MinLength=36
	// +kubebuilder:validation:MaxLength=36
	ID string `json:"id"`

	// holder is the controller process that makes the attempt.
	// +required
	// +kubebuilder:validation:MaxLength=128
	Holder string `json:"holder"`

	// startedAt is when the attempt was written down, just before it was sent.
	// +required
	StartedAt metav1.MicroTime `json:"startedAt"`

	// outcome of the attempt.
	// +required
	Outcome AttemptOutcome `json:"outcome"`

	// milliseconds that the attempt took.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=86400000
	Milliseconds int64 `json:"milliseconds,omitempty"`

	// httpStatus of the answer, where one came.
	// +optional
	// +kubebuilder:validation:Minimum=100
	// +kubebuilder:validation:Maximum=999
	HTTPStatus int32 `json:"httpStatus,omitempty"`

	// message says what went wrong, at most 500 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=500
	Message string `json:"message,omitempty"`
}

// Article is one article of a site. It never holds a generated text: that is in its revisions.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=art,categories=pressroom
// +kubebuilder:printcolumn:name="Site",type=string,JSONPath=`.spec.siteRef.name`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Score",type=integer,JSONPath=`.status.revision.seoScore`
// +kubebuilder:printcolumn:name="Title",type=string,JSONPath=`.status.revision.title`
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.status.publication.url`
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,priority=1
// +kubebuilder:printcolumn:name="Next",type=string,JSONPath=`.status.publication.cycle.nextAttemptAt`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.siteRef.name`
// +kubebuilder:selectablefield:JSONPath=`.status.phase`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 200",message="metadata.name must be at most 200 characters: revisions are named after it",fieldPath=".metadata"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.status) || !has(oldSelf.status.publication) || !(oldSelf.status.publication.state in ['Delivering', 'Published']) || (has(self.spec.content) == has(oldSelf.spec.content) && (!has(self.spec.content) || self.spec.content == oldSelf.spec.content))",message="content may not change while the article is being delivered or once it is published",fieldPath=".spec.content"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.status) || !has(oldSelf.status.publication) || !(oldSelf.status.publication.state in ['Delivering', 'Published']) || (has(self.spec.generate) == has(oldSelf.spec.generate) && (!has(self.spec.generate) || self.spec.generate == oldSelf.spec.generate))",message="generate may not change while the article is being delivered or once it is published",fieldPath=".spec.generate"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.status) || !has(oldSelf.status.publication) || !(oldSelf.status.publication.state in ['Delivering', 'Published']) || self.spec.stage == oldSelf.spec.stage || self.spec.stage == 'Archived' || oldSelf.spec.stage == 'Archived'",message="stage must stay, become Archived or return from it while the article is being delivered or once it is published",fieldPath=".spec.stage"
type Article struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the author and the reviewer want.
	// +required
	Spec ArticleSpec `json:"spec"`

	// status says where the article is.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status ArticleStatus `json:"status,omitempty,omitzero"`
}

// GetConditions returns the article's conditions.
func (a *Article) GetConditions() []metav1.Condition { return a.Status.Conditions }

// SetConditions replaces the article's conditions.
func (a *Article) SetConditions(c []metav1.Condition) { a.Status.Conditions = c }

// ArticleList is a list of articles.
// +kubebuilder:object:root=true
type ArticleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Article `json:"items"`
}
