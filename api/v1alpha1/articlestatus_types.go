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

	// observedGeneration is the generation that the conditions describe; -1 until the controller has seen the object.
	// +optional
	// +kubebuilder:default=-1
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=1000000000000
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// handledRequests are the last requests by pressroom.dev/regenerate, redeliver, overwrite and unpublish that were handled.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	HandledRequests []HandledRequest `json:"handledRequests,omitempty"`

	// phase summarizes the article: Draft (kept from review), Generating (no text yet), Review (waits for a reviewer), Approved, Rejected,
	// Scheduled (waits for publishAfter), Published (the site has it), Failed (no text, or not delivered) or Archived. More may come. The
	// controller decides nothing by it.
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

	// generatedNumber is the number of the newest revision that has a generated text and nothing of the author's. content without markdown
	// lies over that text.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	GeneratedNumber int32 `json:"generatedNumber,omitempty"`

	// history lists the numbers of earlier revisions, newest first, at most 6. The last two and generatedNumber are kept; the others are
	// deleted.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=6
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=1000000000
	History []int32 `json:"history,omitempty"`

	// revisionKiB are the sizes of the current revision and of those in history, in this order, in KiB of JSON, rounded up: 0 for a
	// generated text and for what is not kept. The limit of an account's text counts them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=7
	// +kubebuilder:validation:items:Minimum=0
	// +kubebuilder:validation:items:Maximum=10000
	RevisionKiB []int32 `json:"revisionKiB,omitempty"`

	// run is the last run of the generator.
	// +optional
	// +structType=atomic
	Run *GenerationRun `json:"run,omitempty"`

	// prepaid is a credit taken for a run that has not begun. The next run uses it; it is given back if none is wanted anymore.
	// +optional
	// +structType=atomic
	Prepaid *PrepaidRun `json:"prepaid,omitempty"`

	// publication is what is sent to the site, and what the site has. Unset before the first attempt.
	// +optional
	// +structType=atomic
	Publication *Publication `json:"publication,omitempty"`

	// transitions are what happened to the article last, oldest first: at most 12, and fewer if status would have 8 KiB or more. Those that
	// wait to be dispatched stay. Nothing about the article depends on them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=12
	Transitions []ArticleTransition `json:"transitions,omitempty"`
}

// CurrentRevision summarizes the current revision, so that lists need not read it.
type CurrentRevision struct {
	// name of the ArticleRevision.
	// +required
	Name ObjectName `json:"name,omitempty"`

	// number of the revision, which grows with each revision of the article.
	// +required
	Number RevisionNumber `json:"number,omitempty"`

	// digest of the content: "sha256:" and 64 hex digits. An approval names it in spec.review.digest.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`

	// contentHash is the SHA-256 of the spec.content that the revision is made of. Unset if it has nothing of the author's.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	ContentHash string `json:"contentHash,omitempty"`

	// title of the article, at most 248 bytes as JSON. The revision has the full title.
	// +required
	Title TitleText `json:"title,omitempty"`

	// source of the text: Generated by a run alone, Edited by a person after a run, or Written by the author alone.
	// +required
	Source RevisionSource `json:"source,omitempty"`

	// seoScore of the revision, 0 to 100.
	// +required
	SEOScore Score `json:"seoScore"`

	// creationTime is when the revision was made.
	// +required
	CreationTime metav1.MicroTime `json:"creationTime,omitempty,omitzero"`

	// fingerprint of the text without its keyword, by which near-duplicates are found: 16 hex digits. Unset if the text is too short to
	// compare.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{16}$`
	Fingerprint string `json:"fingerprint,omitempty"`

	// terms are the stems that the text has most often, by which articles to link to are found: at most 30 and 256 bytes, the most frequent
	// first. Unset if status would have 8 KiB or more with them.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Terms string `json:"terms,omitempty"`

	// failedGates are the gates that the text fails: language, avoided-words, placeholders, near-duplicate. Nothing is approved
	// automatically with one; a reviewer may approve it. At most 8.
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
	Name ObjectName `json:"name,omitempty"`

	// number of the revision that the run makes.
	// +required
	Number RevisionNumber `json:"number,omitempty"`

	// requestHash is the SHA-256 of the spec.generate that the run answers.
	// +required
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	RequestHash string `json:"requestHash,omitempty"`

	// state of the run. Running has an attempt in progress. RetryScheduled waits for nextAttemptTime. Succeeded has made its revision.
	// Failed has ended without one. Superseded has ended because the author wrote the text.
	// +required
	State RunState `json:"state,omitempty"`

	// charge is the state of the run's credit: Charged, RefundDue (the run has failed) or Refunded.
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

	// type of the backend: OpenAI, Anthropic or BuiltIn.
	// +required
	Type GeneratorType `json:"type,omitempty"`

	// model that is called, and afterwards the one that answered, as the endpoint names it, at most 64 bytes as JSON.
	// +optional
	Model ShortText `json:"model,omitempty"`

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
	InputTokens TokenCount `json:"inputTokens,omitempty"`

	// outputTokens that the endpoint counted over all turns of all attempts.
	// +optional
	OutputTokens TokenCount `json:"outputTokens,omitempty"`
}

// PrepaidRun is a credit that an Article holds for its next run.
type PrepaidRun struct {
	// run is the id under which the credit was charged.
	// +required
	Run ObjectName `json:"run,omitempty"`

	// charge is Charged, RefundDue (no run is wanted anymore) or Refunded.
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
	// PublicationUnpublished was taken back, and is not published before somebody asks for it again.
	PublicationUnpublished PublicationState = "Unpublished"
	// PublicationFailed used up its retries or ended finally.
	PublicationFailed PublicationState = "Failed"
	// PublicationCancelled was waiting for a retry when the article stopped wanting it: it was archived, edited, or its publication was
	// cancelled. It was Unpublished if unpublishTime is set.
	PublicationCancelled PublicationState = "Cancelled"
)

// PublicationRevision names a revision and its content.
type PublicationRevision struct {
	// name of the ArticleRevision.
	// +required
	Name ObjectName `json:"name,omitempty"`

	// number of the revision.
	// +required
	Number RevisionNumber `json:"number,omitempty"`

	// digest of its content.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`

	// title of the revision that the site has while status.revision is another one, as there.
	// +optional
	Title TitleText `json:"title,omitempty"`

	// seoScore of the revision that the site has while status.revision is another one, 0 to 100.
	// +optional
	SEOScore *Score `json:"seoScore,omitempty"`

	// disclosure of the text: HumanOnly, AIAssisted or AIAutonomous, as in spec.records of the Post. Unset if status was
	// restored from a Post without a record of it.
	// +optional
	Disclosure Disclosure `json:"disclosure,omitempty"`
}

// Publication describes the state of publishing a revision.
type Publication struct {
	// state of the publication. Delivering has an attempt in progress. RetryScheduled waits for cycle.nextAttemptTime. Published is what
	// the site has or may pull, also while a redelivery fails. Failed has used up its retries, or has ended finally. Cancelled was waiting
	// for a retry that is no longer wanted. Unpublished was taken back while spec.stage asked for publication: it is published again once
	// the stage asks for it again, or pressroom.dev/redeliver does.
	// +required
	State PublicationState `json:"state,omitempty"`

	// revision is the one that is sent to the site, or that the site has.
	// +required
	Revision PublicationRevision `json:"revision,omitempty,omitzero"`

	// updates is Reviewed if the Site's published articles are updated. Unset if they are frozen.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Updates string `json:"updates,omitempty"`

	// publishTime is when the receiver first accepted the article.
	// +optional
	PublishTime *metav1.MicroTime `json:"publishTime,omitempty"`

	// updateTime is when the site last got another text, or the article again after it was unpublished. Unset if it has the first one.
	// +optional
	UpdateTime *metav1.MicroTime `json:"updateTime,omitempty"`

	// unpublishTime is when the post was taken back. Unset while the site has it.
	// +optional
	UnpublishTime *metav1.MicroTime `json:"unpublishTime,omitempty"`

	// url of the live post, as the receiver named it. Unset if it named none, or one of more than 512 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	URL string `json:"url,omitempty"`

	// externalID of the post, as the receiver named it; the slug if it named none, or one of more than 128 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	ExternalID string `json:"externalID,omitempty"`

	// slug of the post in the CMS if the CMS gave it another than status.slug, at most 120 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug,omitempty"`

	// postHash is the beginning of the SHA-256 of what the CMS answered to the last write, of the fields that Pressroom writes. A post that
	// has another one was changed in the CMS. Unset for sites of the types Headless and None.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	PostHash string `json:"postHash,omitempty"`

	// conflictURL is the address of the post because of which nothing was sent: one with the slug that Pressroom has not made (SlugTaken),
	// or the article's own one after somebody changed it (ChangedAtSite).
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	ConflictURL string `json:"conflictURL,omitempty"`

	// differences are the fields in which the post of conflictURL differs from what would have been sent, after somebody changed it
	// (ChangedAtSite). At most 3 are shown.
	// +optional
	// +listType=map
	// +listMapKey=field
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Differences []PostDifference `json:"differences,omitempty"`

	// What has been sent: empty for a site of the type None.
	DeliveryRecord `json:",inline"`
}

const (
	// MaxPostDifferences bounds how many fields of a changed post status shows.
	MaxPostDifferences = 3
	// MaxFieldNameBytes bounds the name of such a field.
	MaxFieldNameBytes = 64
)

// PostDifference is a field that somebody has changed of a post in the CMS.
type PostDifference struct {
	// field that differs, as the CMS names it.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Field string `json:"field,omitempty"`

	// site is what the CMS has, from a little before the first difference on, at most 200 bytes without secrets. Unset if it has nothing.
	// +optional
	Site ShortText `json:"site,omitempty"`

	// article is what would have been sent in its place. Unset for nothing.
	// +optional
	Article ShortText `json:"article,omitempty"`
}
