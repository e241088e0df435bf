package v1alpha1

const (
	// MaxAttempts is the number of attempts of a delivery cycle: the first and three retries (docs/reference/contract.md, Delivery).
	MaxAttempts = 4
	// MaxAttemptsKept bounds the attempts in status, of all cycles.
	MaxAttemptsKept = 8

	// MaxArticleStatusBytes is more than the sum of the bounds below and of the fields of fixed length: the size that the status of an
	// Article stays under. All are bytes of JSON with its escapes, of which some characters take six.
	MaxArticleStatusBytes = 8 << 10
	// MaxConditionMessageBytes bounds the message of a condition.
	MaxConditionMessageBytes = 128
	// MaxAttemptMessageBytes bounds the message of an attempt.
	MaxAttemptMessageBytes = 96
	// MaxRunMessageBytes bounds the message of a run's failure.
	MaxRunMessageBytes = 112
	// MaxSnippetBytes bounds the part of an answer that status shows.
	MaxSnippetBytes = 200
	// MaxTitleBytes bounds a title in status. The revision has the full title.
	MaxTitleBytes = 248
	// MaxModelBytes bounds the name of a model.
	MaxModelBytes = 64
	// MaxURLBytes bounds the URL of a post. A longer one is omitted, because a part of a URL is wrong.
	MaxURLBytes = 512
	// MaxExternalIDBytes bounds the id of a post. A longer one is omitted.
	MaxExternalIDBytes = 128
	// MaxSlugBytes bounds a slug that a CMS chose. A longer one is cut.
	MaxSlugBytes = 120
)

// DeliveryRecord holds the attempts to reach a receiver and its answers, for Articles and EventDeliveries.
type DeliveryRecord struct {
	// cycle is the last delivery cycle.
	// +optional
	Cycle *DeliveryCycle `json:"cycle,omitempty"`

	// attempts are the last 8, oldest first, also of earlier cycles, whose messages are gone. Each is written before its request is sent.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Attempts []DeliveryAttempt `json:"attempts,omitempty"`

	// lastAnswer is the last answer of any attempt.
	// +optional
	LastAnswer *ReceiverAnswer `json:"lastAnswer,omitempty"`
}

// DeliveryCycle is a first attempt and up to three retries (docs/reference/contract.md, Delivery).
type DeliveryCycle struct {
	// number counts the cycles from 1.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	Number int32 `json:"number,omitempty"`

	// state of the cycle. InProgress has an attempt in progress. RetryScheduled waits for nextAttemptTime. Accepted was accepted by the
	// receiver. Failed has used up its retries, or has ended finally. Cancelled was waiting for a retry that is no longer wanted.
	// +required
	State CycleState `json:"state,omitempty"`

	// reason why the cycle ended or waits: one of the reasons of the condition Published.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`

	// connectionHash is the beginning of the SHA-256 of the Site's spec.cms that the last attempt used. If the Site's settings ended the
	// cycle, a change of them begins another. Only of Articles.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	ConnectionHash string `json:"connectionHash,omitempty"`

	// overwriteNonce is the request by pressroom.dev/overwrite that the cycle answers: it overwrites what was changed in the CMS.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	OverwriteNonce string `json:"overwriteNonce,omitempty"`

	// purpose of the cycle: Put makes the site have the revision, Remove takes the post back. Only of Articles.
	// +optional
	Purpose DeliveryPurpose `json:"purpose,omitempty"`

	// revision that Put sends: the same one, with the same disclosure, in each attempt. Only of Articles.
	// +optional
	Revision *PublicationRevision `json:"revision,omitempty"`

	// post is the name of the Post object to which the last attempt was sent. Unset if it is publication.post.name: they differ after the
	// Site's address has changed, until the cycle is accepted. Only of Articles.
	// +optional
	Post ObjectName `json:"post,omitempty"`

	// requestNonce is the request by pressroom.dev/redeliver or unpublish that the cycle answers. Only of Articles.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	RequestNonce string `json:"requestNonce,omitempty"`

	// conflictURL is the address of the post because of which nothing was written: one with the slug that Pressroom has not made
	// (SlugTaken), or the article's own one after somebody changed it (ChangedAtSite).
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

	// nextAttemptTime is when the next attempt is due. Unset if none is scheduled.
	// +optional
	NextAttemptTime *MicroTime `json:"nextAttemptTime,omitempty"`
}

// CycleState is the state of a delivery cycle.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type CycleState string

// The states of a delivery cycle.
const (
	// CycleInProgress has an attempt in progress.
	CycleInProgress CycleState = "InProgress"
	// CycleRetryScheduled waits for nextAttemptTime.
	CycleRetryScheduled CycleState = "RetryScheduled"
	// CycleAccepted was accepted by the receiver.
	CycleAccepted CycleState = "Accepted"
	// CycleFailed has used up its retries, or has ended finally.
	CycleFailed CycleState = "Failed"
	// CycleCancelled was waiting for a retry that is no longer wanted. Only of Articles.
	CycleCancelled CycleState = "Cancelled"
)

// Ended reports whether a cycle makes no further attempt. It holds for the empty state too: there was no cycle.
func (s CycleState) Ended() bool { return s != CycleInProgress && s != CycleRetryScheduled }

// AttemptOutcome is how an attempt ended.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type AttemptOutcome string

// The outcomes of an attempt.
const (
	// AttemptInProgress is sent, or about to be sent, and has not ended.
	AttemptInProgress AttemptOutcome = "InProgress"
	// AttemptAccepted was answered with 2xx in time.
	AttemptAccepted AttemptOutcome = "Accepted"
	// AttemptRejected was answered with another status, including redirects, or refused by a CMS.
	AttemptRejected AttemptOutcome = "Rejected"
	// AttemptTimeout was not answered within 30 seconds.
	AttemptTimeout AttemptOutcome = "Timeout"
	// AttemptConnectionFailed got no answer: name look-up, connection or TLS failed, or the connection broke.
	AttemptConnectionFailed AttemptOutcome = "ConnectionFailed"
	// AttemptAddressBlocked was not sent, because the address is not public.
	AttemptAddressBlocked AttemptOutcome = "AddressBlocked"
	// AttemptNotSent was not sent, because something that a request needs was missing.
	AttemptNotSent AttemptOutcome = "NotSent"
	// AttemptUnknown was in progress when its process ended. It may have reached the receiver, and counts.
	AttemptUnknown AttemptOutcome = "Unknown"
)

// ErrorClass is the class of the error of an attempt.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type ErrorClass string

// The classes of errors.
const (
	// ErrorNameLookup means that the host's name does not exist or could not be looked up.
	ErrorNameLookup ErrorClass = "NameLookup"
	// ErrorConnection means that there was no connection, or that it broke.
	ErrorConnection ErrorClass = "Connection"
	// ErrorTLS means that the TLS handshake failed, or the certificate is not valid.
	ErrorTLS ErrorClass = "TLS"
	// ErrorTimeout means that no answer came within 30 seconds.
	ErrorTimeout ErrorClass = "Timeout"
	// ErrorInvalidAnswer means that what came before the connection ended is not valid HTTP.
	ErrorInvalidAnswer ErrorClass = "InvalidAnswer"
	// ErrorRedirect means that the receiver answered 3xx: redirects are not followed.
	ErrorRedirect ErrorClass = "Redirect"
	// ErrorClient means that the receiver answered 4xx.
	ErrorClient ErrorClass = "ClientError"
	// ErrorServer means that the receiver answered 5xx.
	ErrorServer ErrorClass = "ServerError"
	// ErrorUnexpectedStatus means that the receiver answered another status that is not a success, such as 101.
	ErrorUnexpectedStatus ErrorClass = "UnexpectedStatus"
	// ErrorAddressBlocked means that the address is not a public one.
	ErrorAddressBlocked ErrorClass = "AddressBlocked"
	// ErrorNotSent means that something that a request needs was missing.
	ErrorNotSent ErrorClass = "NotSent"
	// ErrorInterrupted means that the controller's process, or an internal error, ended the attempt.
	ErrorInterrupted ErrorClass = "Interrupted"
)

// The class of an error of the article.
const (
	// ErrorImageChanged means that the URL of the featured image leads to another file than the one that was reviewed. Nothing was written.
	ErrorImageChanged ErrorClass = "ImageChanged"
)

// The classes of errors that a CMS answers with. The first six are final until the Site or the article changes.
const (
	// ErrorWrongCredentials means that the CMS does not accept the credentials.
	ErrorWrongCredentials ErrorClass = "WrongCredentials"
	// ErrorMissingPermission means that the credentials may not do what publishing needs.
	ErrorMissingPermission ErrorClass = "MissingPermission"
	// ErrorNotFound means that the CMS does not have what the Site names, such as a collection.
	ErrorNotFound ErrorClass = "NotFound"
	// ErrorInvalidContent means that the CMS does not accept a field; the message names it.
	ErrorInvalidContent ErrorClass = "InvalidContent"
	// ErrorSlugTaken means that a post which Pressroom has not made has the slug. Nothing was written.
	ErrorSlugTaken ErrorClass = "SlugTaken"
	// ErrorChangedAtSite means that somebody has changed the post in the CMS. Nothing was written.
	ErrorChangedAtSite ErrorClass = "ChangedAtSite"
	// ErrorRateLimited means that the CMS asks for fewer requests.
	ErrorRateLimited ErrorClass = "RateLimited"
	// ErrorUnavailable means that the CMS cannot answer now, such as during its maintenance.
	ErrorUnavailable ErrorClass = "Unavailable"
	// ErrorUnexpectedAnswer means that the answer is not what this CMS answers, such as a page instead of JSON.
	ErrorUnexpectedAnswer ErrorClass = "UnexpectedAnswer"
)

// DeliveryAttempt is one request to the receiver.
type DeliveryAttempt struct {
	// id of the attempt, a UUID.
	// +required
	ID UUID `json:"id,omitempty"`

	// cycle is the number of the cycle that the attempt belongs to.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	Cycle int32 `json:"cycle,omitempty"`

	// number of the attempt in its cycle, from 1 to 4.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=4
	Number int32 `json:"number,omitempty"`

	// holder is the controller process that makes the attempt. It is empty once the attempt has ended.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Holder string `json:"holder,omitempty"`

	// startTime is when the attempt was recorded, just before it was sent.
	// +required
	StartTime MicroTime `json:"startTime,omitempty,omitzero"`

	// The result of the attempt.
	AttemptResult `json:",inline"`
}

// AttemptResult is the result of an attempt.
type AttemptResult struct {
	// outcome of the attempt: InProgress; Accepted (2xx in time); Rejected (another status, or refused by a CMS); Timeout (no answer in 30
	// seconds); ConnectionFailed; AddressBlocked (not sent: the address is not public); NotSent (something was missing); or Unknown (the
	// controller ended meanwhile, so the receiver may have it). More may come.
	// +required
	Outcome AttemptOutcome `json:"outcome,omitempty"`

	// errorClass says where the error was. On the way: NameLookup, Connection, TLS, Timeout, InvalidAnswer. The status: Redirect,
	// ClientError (4xx), ServerError (5xx), UnexpectedStatus. Of a CMS: WrongCredentials, MissingPermission, NotFound, InvalidContent,
	// SlugTaken, ChangedAtSite, RateLimited, Unavailable, UnexpectedAnswer. Not sent or not ended: AddressBlocked, NotSent, ImageChanged,
	// Interrupted.
	// More may come. Unset without an error.
	// +optional
	ErrorClass ErrorClass `json:"errorClass,omitempty"`

	// milliseconds that the attempt took. Unset while it is in progress.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=86400000
	Milliseconds int64 `json:"milliseconds,omitempty"`

	// httpStatus of the answer. Unset if there was none.
	// +optional
	// +kubebuilder:validation:Minimum=100
	// +kubebuilder:validation:Maximum=999
	HTTPStatus int32 `json:"httpStatus,omitempty"`

	// message describes the error, at most 96 bytes as JSON. Unset if there was none.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Message string `json:"message,omitempty"`
}

// ReceiverAnswer is an answer of a receiver.
type ReceiverAnswer struct {
	// attemptID is the id of the attempt that was answered.
	// +required
	AttemptID UUID `json:"attemptID,omitempty"`

	// httpStatus of the answer.
	// +required
	// +kubebuilder:validation:Minimum=100
	// +kubebuilder:validation:Maximum=999
	HTTPStatus int32 `json:"httpStatus,omitempty"`

	// snippet is the beginning of the answer's body, at most 200 printable bytes, without secrets.
	// +optional
	Snippet ShortText `json:"snippet,omitempty"`

	// retryAfterTime is when the host may be called again, at most an hour after the answer. Unset if it asked for no wait (Retry-After,
	// RFC 9110).
	// +optional
	RetryAfterTime *MicroTime `json:"retryAfterTime,omitempty"`
}
