package v1alpha1

// Condition types. Ready is on every kind; Reconciling and Stalled are present only while True, as kstatus reads them.
const (
	// ConditionReady is True when the object is as far as it can be without a person or the clock.
	ConditionReady = "Ready"
	// ConditionReconciling is True while work towards the spec is under way.
	ConditionReconciling = "Reconciling"
	// ConditionStalled is True when nothing will move without a change to the object or to something that it names.
	ConditionStalled = "Stalled"

	// ConditionGenerated is on an Article that asks for a generated text: True when the last run succeeded.
	ConditionGenerated = "Generated"
	// ConditionApproved is on an Article: True when the current revision is approved.
	ConditionApproved = "Approved"
	// ConditionPublished is on an Article: True when the site has accepted it.
	ConditionPublished = "Published"

	// ConditionDelivered is on an EventDelivery: True when the receiver has accepted the event. Its reasons are those of
	// ConditionPublished.
	ConditionDelivered = "Delivered"

	// ConditionConnected is on a Site: True when its receiver has accepted a test, or nothing is sent to it. Unknown while its
	// connection, as it is now, has not been tested.
	ConditionConnected = "Connected"
)

// Reasons of ConditionGenerated.
const (
	// ReasonGenerating says that a run is on its way.
	ReasonGenerating = "Generating"
	// ReasonRetryScheduled says that the last attempt failed and the next one has a due time. Also of ConditionPublished.
	ReasonRetryScheduled = "RetryScheduled"
	// ReasonInsufficientCredits says that the account has no credit for the run, which waits.
	ReasonInsufficientCredits = "InsufficientCredits"
	// ReasonDailyLimitReached says that the site's daily limit is used up; the run waits for the next UTC day.
	ReasonDailyLimitReached = "DailyLimitReached"
	// ReasonQueued says that the account's ledger is full of charges that are not confirmed yet; the run waits.
	ReasonQueued = "Queued"
	// ReasonSucceeded says that the last run made a revision.
	ReasonSucceeded = "Succeeded"
	// ReasonRefused says that the model would not write the article.
	ReasonRefused = "Refused"
	// ReasonInvalidAnswer says that the model's answers could not be used, after a repair turn each.
	ReasonInvalidAnswer = "InvalidAnswer"
	// ReasonTruncated says that the model's answer was cut off at its length limit.
	ReasonTruncated = "Truncated"
	// ReasonRateLimited says that the model's endpoint refused with 429 on every attempt.
	ReasonRateLimited = "RateLimited"
	// ReasonTimeout says that the model's endpoint did not answer in time on every attempt. Also of ConditionConnected, where
	// the receiver did not answer a test in time.
	ReasonTimeout = "Timeout"
	// ReasonBackendRejected says that the endpoint refused the request for good: wrong key, unknown model, bad request.
	ReasonBackendRejected = "BackendRejected"
	// ReasonBackendUnavailable says that the endpoint could not be reached or answered 5xx on every attempt.
	ReasonBackendUnavailable = "BackendUnavailable"
	// ReasonInterrupted says that the controller's process ended during every attempt.
	ReasonInterrupted = "Interrupted"
	// ReasonSuperseded says that the author's own text took the place of the run.
	ReasonSuperseded = "Superseded"
)

// Reasons of ConditionApproved.
const (
	// ReasonAwaitingReview says that the current revision waits for a reviewer. Also of ConditionReady.
	ReasonAwaitingReview = "AwaitingReview"
	// ReasonApproved says that a reviewer approved the current revision.
	ReasonApproved = "Approved"
	// ReasonAutomatic says that the site's review policy approves every finished revision.
	ReasonAutomatic = "Automatic"
	// ReasonRejected says that a reviewer rejected the current revision. Also of ConditionReady.
	ReasonRejected = "Rejected"
	// ReasonContentChanged says that the reviewer's word was about other content than the current revision's.
	ReasonContentChanged = "ContentChanged"
	// ReasonInvalidContent says that the author's content cannot become an article; the message says what must be.
	ReasonInvalidContent = "InvalidContent"
	// ReasonNoRevision says that there is nothing to review yet.
	ReasonNoRevision = "NoRevision"
)

// Reasons of ConditionPublished.
const (
	// ReasonNotRequested says that the author's stage is not Published.
	ReasonNotRequested = "NotRequested"
	// ReasonNotApproved says that publishing waits for the reviewer.
	ReasonNotApproved = "NotApproved"
	// ReasonScheduled says that publishing waits for publishAfter. Also of ConditionReady.
	ReasonScheduled = "Scheduled"
	// ReasonDelivering says that an attempt is on the wire.
	ReasonDelivering = "Delivering"
	// ReasonDelivered says that the receiver accepted the article. Also of ConditionReady.
	ReasonDelivered = "Delivered"
	// ReasonPublished says that the site is pulled from and the article may be read.
	ReasonPublished = "Published"
	// ReasonExhausted says that one try and three retries failed.
	ReasonExhausted = "Exhausted"
	// ReasonAddressBlocked says that the receiver's address is not a public one, which is final. Also of ConditionConnected.
	ReasonAddressBlocked = "AddressBlocked"
	// ReasonReceiverRejected says that the receiver answered 410, which is final. Also of ConditionConnected, for any status
	// that is not 2xx.
	ReasonReceiverRejected = "ReceiverRejected"
	// ReasonNotSent says that something that a request needs was not there, which is final; the message says what.
	ReasonNotSent = "NotSent"
	// ReasonSecretNotFound says that the signing secret is missing or empty; the article waits for it. Also of ConditionConnected.
	ReasonSecretNotFound = "SecretNotFound"
	// ReasonNotSupportedYet says that the site's CMS type cannot be published to by this version. Also of ConditionConnected.
	ReasonNotSupportedYet = "NotSupportedYet"
)

// Reasons of ConditionReady, ConditionReconciling and ConditionStalled beside those above.
const (
	// ReasonSiteNotFound says that the Site does not exist; the article goes on when it comes.
	ReasonSiteNotFound = "SiteNotFound"
	// ReasonNotAWorkspace says that the namespace does not carry the account label.
	ReasonNotAWorkspace = "NotAWorkspace"
	// ReasonAccountNotFound says that the account does not exist. Also of APIKey, OAuthClient and OAuthGrant.
	ReasonAccountNotFound = "AccountNotFound"
	// ReasonDraft says that the author keeps the article as a draft.
	ReasonDraft = "Draft"
	// ReasonArchived says that the author archived the article.
	ReasonArchived = "Archived"
	// ReasonGenerationFailed says that there is no revision and generating one failed.
	ReasonGenerationFailed = "GenerationFailed"
	// ReasonDeliveryFailed says that delivery ended in failure.
	ReasonDeliveryFailed = "DeliveryFailed"
	// ReasonProgressing says that the controller is at work.
	ReasonProgressing = "Progressing"
	// ReasonRevisionNameTaken says that revisions of a deleted article with the same name are still being collected.
	ReasonRevisionNameTaken = "RevisionNameTaken"
	// ReasonClientNotFound says that the app of a grant does not exist.
	ReasonClientNotFound = "ClientNotFound"
	// ReasonAwaitingExchange says that the app has not exchanged the code of a grant yet.
	ReasonAwaitingExchange = "AwaitingExchange"
	// ReasonRevoked says that a grant was taken back.
	ReasonRevoked = "Revoked"
	// ReasonExpired says that the time of the key, the code or the token is over, or that an event found no way to its
	// receiver for 7 days.
	ReasonExpired = "Expired"
	// ReasonValid says that the object may be used.
	ReasonValid = "Valid"
	// ReasonSuspended says that a subscription's receiver has failed for 5 days, and that events wait for an edit.
	ReasonSuspended = "Suspended"
	// ReasonInvalidSecret says that a signing secret is not whsec_ and the base64 of 24 to 64 bytes.
	ReasonInvalidSecret = "InvalidSecret"
	// ReasonSubscriptionNotFound says that an event's subscription does not exist any more.
	ReasonSubscriptionNotFound = "SubscriptionNotFound"
	// ReasonConfigured says that everything the site needs to publish is there. Of a Site's ConditionReady.
	ReasonConfigured = "Configured"
	// ReasonPulled says that nothing is sent to the site: it reads articles from the API.
	ReasonPulled = "Pulled"
)

// Reasons of ConditionConnected beside those above.
const (
	// ReasonNotTested says that the connection has not been tested since it was last changed.
	ReasonNotTested = "NotTested"
	// ReasonTesting says that a test is on the wire.
	ReasonTesting = "Testing"
	// ReasonReceiverAccepted says that the receiver answered the test with 2xx in time.
	ReasonReceiverAccepted = "ReceiverAccepted"
	// ReasonConnectionFailed says that the test got no answer: the look-up, the connection or TLS failed.
	ReasonConnectionFailed = "ConnectionFailed"
	// ReasonOutcomeUnknown says that the controller's process ended during the test, which may have reached the receiver.
	ReasonOutcomeUnknown = "OutcomeUnknown"
)
