package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MaxHistory bounds the numbers of earlier revisions in an article's status.
const MaxHistory = 6

// ArticleStatus describes the state of an article.
type ArticleStatus struct {
	// conditions of the article: Generated, Approved, Published and Ready; UpToDate once it is published; Redelivered while False;
	// Reconciling and Stalled while True.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=8
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// observedGeneration is the generation of the spec that the conditions describe. It is -1 until the controller has
	// seen the object.
	// +optional
	// +kubebuilder:default=-1
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=1000000000000
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// handledRequests are the last requests by the annotations pressroom.dev/regenerate and pressroom.dev/redeliver that were handled, by
	// name.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	HandledRequests []HandledRequest `json:"handledRequests,omitempty"`

	// phase summarizes the article. Draft is kept from review. Generating has no text yet. Review waits for a reviewer, who has decided
	// in Approved and Rejected. Scheduled waits for publishAfter. Published is what the site has. Failed has no text, or could not be
	// delivered. Archived is put away. More phases may come. No decision of the controller depends on it.
	// +optional
	Phase ArticlePhase `json:"phase,omitempty"`

	// slug that the article has claimed in its site. It does not change after the first attempt to publish.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug,omitempty"`

	// lastRevisionNumber is the highest number of a revision, or of a run that will make one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	LastRevisionNumber int32 `json:"lastRevisionNumber,omitempty"`

	// revision is the current revision.
	// +optional
	// +structType=atomic
	Revision *CurrentRevision `json:"revision,omitempty"`

	// generatedNumber is the number of the newest revision that has a generated text with nothing of the author's in it.
	// content without markdown lies over that text. It is kept for as long as it is the newest.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	GeneratedNumber int32 `json:"generatedNumber,omitempty"`

	// history lists the numbers of earlier revisions, newest first. The last two and that of generatedNumber are kept beside
	// the current one; the others are deleted. At most 6.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=6
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=1000000000
	History []int32 `json:"history,omitempty"`

	// run is the last run of the generator.
	// +optional
	// +structType=atomic
	Run *GenerationRun `json:"run,omitempty"`

	// prepaid is a credit that is taken for a run which has not begun. The next run uses it; it is given back if the article
	// wants no run anymore.
	// +optional
	// +structType=atomic
	Prepaid *PrepaidRun `json:"prepaid,omitempty"`

	// publication is what is sent to the site, and what the site has. Unset before the first attempt.
	// +optional
	// +structType=atomic
	Publication *Publication `json:"publication,omitempty"`

	// transitions are what happened to the article last, oldest first: at most 12, and fewer if status would have 8 KiB or more. Each is
	// written together with what happened. Those that wait to be dispatched to subscriptions stay. No decision about the article depends
	// on them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=12
	Transitions []ArticleTransition `json:"transitions,omitempty"`
}

// CurrentRevision summarizes the current revision, so that lists need not read it.
type CurrentRevision struct {
	// name of the ArticleRevision.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// number of the revision, which grows with each revision of the article.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	Number int32 `json:"number,omitempty"`

	// digest of the content: "sha256:" and 64 hex digits. An approval names it in spec.review.digest.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`

	// contentHash is the SHA-256 of the spec.content that the revision is made of. It is empty if the revision has nothing of
	// the author's.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	ContentHash string `json:"contentHash,omitempty"`

	// title of the article, at most 248 bytes as JSON. The revision has the full title.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	Title string `json:"title,omitempty"`

	// source of the text: Generated by a run alone, Edited by a person after a run, or Written by the author alone.
	// +required
	Source RevisionSource `json:"source,omitempty"`

	// seoScore rates the text for search engines, from 0 to 100. spec.scores of the revision says how it comes about.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	SEOScore int32 `json:"seoScore"`

	// creationTime is when the revision was made.
	// +required
	CreationTime metav1.MicroTime `json:"creationTime,omitempty,omitzero"`

	// fingerprint of the text without its keyword, by which texts that nearly repeat each other are found: 16 hex digits. It is empty if
	// the text is too short to compare, or if the revision was made before fingerprints were.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{16}$`
	Fingerprint string `json:"fingerprint,omitempty"`

	// terms are the stems of the words that the text has most often, by which articles to link to are found: at most 30, separated by
	// spaces, the most frequent first. At most 256 bytes. They are empty if the revision was made before terms were, or if
	// status would have 8 KiB or more with them.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Terms string `json:"terms,omitempty"`

	// failedGates are the checks without which nothing is approved automatically, and which the text fails: language,
	// avoided-words, placeholders, near-duplicate. A reviewer may approve it all the same. At most 8.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=32
	FailedGates []string `json:"failedGates,omitempty"`
}

// RunState is the state of a run.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type RunState string

// The states of a run.
const (
	// RunRunning has an attempt in progress.
	RunRunning RunState = "Running"
	// RunRetryScheduled waits for nextAttemptTime.
	RunRetryScheduled RunState = "RetryScheduled"
	// RunSucceeded has made its revision.
	RunSucceeded RunState = "Succeeded"
	// RunFailed has ended without a revision.
	RunFailed RunState = "Failed"
	// RunSuperseded was abandoned because the author wrote the text.
	RunSuperseded RunState = "Superseded"
)

// ChargeState is the state of a run's credit.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
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
	// name of the run, which is the name of the revision that it makes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// number of the revision that the run makes.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	Number int32 `json:"number,omitempty"`

	// requestHash is the SHA-256 of the spec.generate that the run answers.
	// +required
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	RequestHash string `json:"requestHash,omitempty"`

	// state of the run. Running has an attempt in progress. RetryScheduled waits for nextAttemptTime. Succeeded has made its revision.
	// Failed has ended without one. Superseded was abandoned, because the author has written the text.
	// +required
	State RunState `json:"state,omitempty"`

	// charge is the state of the run's credit: Charged is taken, RefundDue is to be given back because the run has failed, and Refunded
	// is given back.
	// +required
	Charge ChargeState `json:"charge,omitempty"`

	// attempt counts the attempts from 1. Each is written here before the model is called.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	Attempt int32 `json:"attempt,omitempty"`

	// holder is the controller process that makes the attempt.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Holder string `json:"holder,omitempty"`

	// startTime is when the attempt began.
	// +required
	StartTime metav1.MicroTime `json:"startTime,omitempty,omitzero"`

	// finishTime is when the attempt ended. Unset while it is in progress.
	// +optional
	FinishTime *metav1.MicroTime `json:"finishTime,omitempty"`

	// nextAttemptTime is when the next attempt is due. Unset if none is scheduled.
	// +optional
	NextAttemptTime *metav1.MicroTime `json:"nextAttemptTime,omitempty"`

	// reason of the last failure: one of the reasons of the condition Generated.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`

	// message of the last failure, at most 112 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Message string `json:"message,omitempty"`

	// type of the backend: OpenAI, Anthropic or BuiltIn, as spec.generator.type of a Site.
	// +required
	Type GeneratorType `json:"type,omitempty"`

	// model that is called, and afterwards the one that answered, as the endpoint names it, at most 96 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	Model string `json:"model,omitempty"`

	// step of the attempt that is in progress, from 1 to steps, written at most once a minute.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Step int32 `json:"step,omitempty"`

	// steps is the number of steps that the attempt has.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Steps int32 `json:"steps,omitempty"`

	// progressTime is when step was written.
	// +optional
	ProgressTime *metav1.MicroTime `json:"progressTime,omitempty"`

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

// PrepaidRun is a credit that an Article holds for its next run.
type PrepaidRun struct {
	// run is the id under which the credit was charged.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Run string `json:"run,omitempty"`

	// charge is Charged, or RefundDue if the article wants no run anymore, and Refunded once the credit is given back.
	// +required
	Charge ChargeState `json:"charge,omitempty"`
}

// PublicationState is the state of publishing. While it is Delivering or Published, changes of generate and content make no revision.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type PublicationState string

// The states of a publication.
const (
	// PublicationDelivering has an attempt in progress.
	PublicationDelivering PublicationState = "Delivering"
	// PublicationRetryScheduled waits for nextAttemptTime.
	PublicationRetryScheduled PublicationState = "RetryScheduled"
	// PublicationPublished was accepted by the receiver, or may be pulled.
	PublicationPublished PublicationState = "Published"
	// PublicationFailed used up its retries or ended finally.
	PublicationFailed PublicationState = "Failed"
)

// PublicationRevision names a revision and its content.
type PublicationRevision struct {
	// name of the ArticleRevision.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// number of the revision.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	Number int32 `json:"number,omitempty"`

	// digest of its content.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`
}

// Publication describes the state of publishing a revision.
type Publication struct {
	// state of the publication. Delivering has an attempt in progress. RetryScheduled waits for cycle.nextAttemptTime. Published was
	// accepted by the receiver, or may be pulled. Failed has used up its retries, or has ended finally. A redelivery that fails leaves it
	// Published.
	// +required
	State PublicationState `json:"state,omitempty"`

	// revision is the one that is sent to the site, or that the site has.
	// +required
	Revision PublicationRevision `json:"revision,omitempty,omitzero"`

	// publishTime is when the receiver first accepted the article.
	// +optional
	PublishTime *metav1.MicroTime `json:"publishTime,omitempty"`

	// url of the live post, an http or https URL as the receiver named it. It is empty if the receiver named none, or one of
	// more than 512 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	URL string `json:"url,omitempty"`

	// externalID of the post, as the receiver named it. It is the slug if the receiver named none, or one of more than 128
	// bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	ExternalID string `json:"externalID,omitempty"`

	// slug of the post in the CMS if the CMS gave it another than status.slug, at most 120 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug,omitempty"`

	// What has been sent: empty for a site of the type None.
	DeliveryRecord `json:",inline"`
}
