package v1alpha1

// Condition types. Ready is on every kind. Reconciling and Stalled are present only while True, as kstatus expects.
const (
	// ConditionReady is True if the object cannot continue without a person or the clock.
	ConditionReady = "Ready"
	// ConditionReconciling is True while the controller works towards the spec.
	ConditionReconciling = "Reconciling"
	// ConditionStalled is True if nothing will happen without a change of the object or of an object that it names.
	ConditionStalled = "Stalled"

	// ConditionGenerated is on an Article that asks for a generated text: True if the last run succeeded.
	ConditionGenerated = "Generated"
	// ConditionApproved is on an Article: True if the current revision is approved.
	ConditionApproved = "Approved"
	// ConditionPublished is on an Article: True if the site has accepted it.
	ConditionPublished = "Published"
	// ConditionRedelivered is on a published Article, present only while False: a redelivery is blocked, in progress, or waits for its
	// retry. Its reasons are those of ConditionPublished.
	ConditionRedelivered = "Redelivered"
	// ConditionUpToDate is on a published Article: True if the site has the text that the manifest asks for.
	ConditionUpToDate = "UpToDate"

	// ConditionDelivered is on an EventDelivery: True if the receiver has accepted the event. Its reasons are those of
	// ConditionPublished.
	ConditionDelivered = "Delivered"

	// ConditionConnected is on a Site: True if its receiver has accepted a test, or nothing is sent to it. Unknown while
	// the current connection has not been tested.
	ConditionConnected = "Connected"
	// ConditionDestinationShared is on a Site, present only while True: another Site publishes to the same destination, so that a
	// post of one can overwrite a post of the other.
	ConditionDestinationShared = "DestinationShared"
)

// Reasons of ConditionGenerated.
const (
	// ReasonGenerating means that a run is in progress or about to start.
	ReasonGenerating = "Generating"
	// ReasonRetryScheduled means that the last attempt failed and the next one has a due time. Also of
	// ConditionPublished.
	ReasonRetryScheduled = "RetryScheduled"
	// ReasonInsufficientCredits means that the account has no credit for the run, which waits.
	ReasonInsufficientCredits = "InsufficientCredits"
	// ReasonDailyLimitReached means that the site's daily limit is used up; the run waits for the next UTC day.
	ReasonDailyLimitReached = "DailyLimitReached"
	// ReasonDailyTokensExceeded means that the site's tokens of the day are used up; the run waits for the next UTC day.
	ReasonDailyTokensExceeded = "DailyTokensExceeded"
	// ReasonQueued means that the account's ledger is full of charges that are not confirmed yet; the run waits.
	ReasonQueued = "Queued"
	// ReasonSucceeded means that the last run made a revision.
	ReasonSucceeded = "Succeeded"
	// ReasonRefused means that the model refused to write the article.
	ReasonRefused = "Refused"
	// ReasonInvalidAnswer means that the model's answers could not be used, after a repair turn each.
	ReasonInvalidAnswer = "InvalidAnswer"
	// ReasonInvalidRequest means that every run would fail, because of what the author or the site asks for. No run begins, and no
	// credit is taken.
	ReasonInvalidRequest = "InvalidRequest"
	// ReasonTruncated means that the model's answer was cut off at its length limit.
	ReasonTruncated = "Truncated"
	// ReasonArticleTokensExceeded means that the run took the site's limits.tokensPerArticle and had no article by then.
	ReasonArticleTokensExceeded = "ArticleTokensExceeded"
	// ReasonRateLimited means that the model's endpoint refused with 429 on every attempt. Also of ConditionConnected, if the CMS
	// asks for fewer requests.
	ReasonRateLimited = "RateLimited"
	// ReasonTimeout means that the model's endpoint did not answer in time on every attempt. Also of ConditionConnected,
	// if the receiver did not answer a test in time.
	ReasonTimeout = "Timeout"
	// ReasonBackendRejected means that the endpoint refused the request, and a retry would not help: wrong key, unknown
	// model, bad request.
	ReasonBackendRejected = "BackendRejected"
	// ReasonBackendUnavailable means that the endpoint could not be reached or answered 5xx on every attempt.
	ReasonBackendUnavailable = "BackendUnavailable"
	// ReasonInterrupted means that the controller's process ended during every attempt.
	ReasonInterrupted = "Interrupted"
	// ReasonSuperseded means that the author's own text replaced the run.
	ReasonSuperseded = "Superseded"
)

// Reasons of ConditionUpToDate.
const (
	// ReasonUpToDate means that the site has the text that the manifest asks for.
	ReasonUpToDate = "UpToDate"
	// ReasonUpdatesFrozen means that the manifest asks for another text, and that published articles of the site are not updated:
	// nothing is generated or sent.
	ReasonUpdatesFrozen = "UpdatesFrozen"
)

// Reasons of ConditionApproved.
const (
	// ReasonAwaitingReview means that the current revision waits for a reviewer. Also of ConditionReady.
	ReasonAwaitingReview = "AwaitingReview"
	// ReasonApproved means that a reviewer approved the current revision.
	ReasonApproved = "Approved"
	// ReasonAutomatic means that the site's review policy approved the current revision.
	ReasonAutomatic = "Automatic"
	// ReasonGateFailed means that the site's review policy would approve the current revision, and it fails gates that the message
	// names, or has less than the minimum score. It waits for a reviewer.
	ReasonGateFailed = "GateFailed"
	// ReasonRejected means that a reviewer rejected the current revision. Also of ConditionReady.
	ReasonRejected = "Rejected"
	// ReasonContentChanged means that the reviewer's decision was about other content than the current revision's.
	ReasonContentChanged = "ContentChanged"
	// ReasonInvalidContent means that the author's content cannot become an article; the message says what is required. Also of
	// ConditionPublished, if the CMS does not accept a field of the article, and of ConditionConnected, if it has no such field.
	ReasonInvalidContent = "InvalidContent"
	// ReasonRevisionMissing means that a revision has been deleted or replaced and cannot be made again; the message says what to do.
	ReasonRevisionMissing = "RevisionMissing"
	// ReasonNoRevision means that there is nothing to review yet.
	ReasonNoRevision = "NoRevision"
)

// Reasons of ConditionPublished.
const (
	// ReasonNotRequested means that the author's stage is not Published.
	ReasonNotRequested = "NotRequested"
	// ReasonNotApproved means that publishing waits for the reviewer.
	ReasonNotApproved = "NotApproved"
	// ReasonScheduled means that publishing waits for publishAfter. Also of ConditionReady.
	ReasonScheduled = "Scheduled"
	// ReasonDelivering means that an attempt is in progress.
	ReasonDelivering = "Delivering"
	// ReasonDelivered means that the receiver accepted the article. Also of ConditionReady.
	ReasonDelivered = "Delivered"
	// ReasonPublished means that the site pulls, and the article can be read.
	ReasonPublished = "Published"
	// ReasonExhausted means that the first attempt and three retries failed.
	ReasonExhausted = "Exhausted"
	// ReasonPostRefused means that kube-apiserver refuses the Post which claims the slug, such as because of a quota or a policy of
	// the workspace. Nothing is sent without it.
	ReasonPostRefused = "PostRefused"
	// ReasonSlugTaken means that another article has the slug at the destination that the Site has by now. Something may have been
	// sent under the slug elsewhere, so it does not change.
	ReasonSlugTaken = "SlugTaken"
	// ReasonAddressBlocked means that the receiver's address is not a public one, which is final. Also of
	// ConditionConnected.
	ReasonAddressBlocked = "AddressBlocked"
	// ReasonReceiverRejected means that the receiver answered 410, which is final. Also of ConditionConnected, for any
	// status that is not 2xx.
	ReasonReceiverRejected = "ReceiverRejected"
	// ReasonNotSent means that something that a request needs was missing, which is final; the message names it.
	ReasonNotSent = "NotSent"
	// ReasonSecretNotFound means that a Secret that the connection needs is missing or empty; the article waits for it. Also of
	// ConditionConnected.
	ReasonSecretNotFound = "SecretNotFound"
	// ReasonNotSupportedYet means that this version cannot publish to the site's CMS type. Also of ConditionConnected.
	ReasonNotSupportedYet = "NotSupportedYet"
)

// Reasons of ConditionPublished and ConditionConnected for sites of a CMS. ReasonInvalidContent and ReasonRateLimited are among them
// too. The first three and ReasonInvalidContent are final until the Site's connection or the article changes.
const (
	// ReasonWrongCredentials means that the CMS does not accept the credentials.
	ReasonWrongCredentials = "WrongCredentials"
	// ReasonMissingPermission means that the credentials may not do what publishing needs; the message names it.
	ReasonMissingPermission = "MissingPermission"
	// ReasonNotFound means that the CMS does not have what the Site names; the message names it.
	ReasonNotFound = "NotFound"
	// ReasonUnavailable means that the CMS could not answer a test. Of ConditionConnected only.
	ReasonUnavailable = "Unavailable"
	// ReasonUnexpectedAnswer means that the answer to a test is not what the CMS answers. Of ConditionConnected only.
	ReasonUnexpectedAnswer = "UnexpectedAnswer"
)

// Reasons of ConditionReady, ConditionReconciling and ConditionStalled, in addition to those above.
const (
	// ReasonSiteNotFound means that the Site does not exist. The article continues when it is created.
	ReasonSiteNotFound = "SiteNotFound"
	// ReasonNotAWorkspace means that the namespace does not have the account label.
	ReasonNotAWorkspace = "NotAWorkspace"
	// ReasonAccountNotFound means that the account does not exist. Also of APIKey, OAuthClient and OAuthGrant.
	ReasonAccountNotFound = "AccountNotFound"
	// ReasonDraft means that the author keeps the article as a draft.
	ReasonDraft = "Draft"
	// ReasonArchived means that the author archived the article.
	ReasonArchived = "Archived"
	// ReasonGenerationFailed means that there is no revision and generating one failed.
	ReasonGenerationFailed = "GenerationFailed"
	// ReasonDeliveryFailed means that delivery ended in failure.
	ReasonDeliveryFailed = "DeliveryFailed"
	// ReasonProgressing means that the controller is working on the object.
	ReasonProgressing = "Progressing"
	// ReasonRevisionNameTaken means that revisions of a deleted article with the same name are still being collected.
	ReasonRevisionNameTaken = "RevisionNameTaken"
	// ReasonRequestRepeated means that another Article was created with the same Idempotency-Key: nothing is made of this one.
	ReasonRequestRepeated = "RequestRepeated"
	// ReasonAwaitingExchange means that the client has not exchanged the code of a grant yet.
	ReasonAwaitingExchange = "AwaitingExchange"
	// ReasonRevoked means that a grant was revoked.
	ReasonRevoked = "Revoked"
	// ReasonKeyRevoked means that the API key that a grant was given with is gone.
	ReasonKeyRevoked = "KeyRevoked"
	// ReasonMembershipEnded means that whoever gave a grant is no member of the account any more.
	ReasonMembershipEnded = "MembershipEnded"
	// ReasonExpired means that the key, the code or the token has expired, or that an event could not be delivered within
	// 7 days.
	ReasonExpired = "Expired"
	// ReasonValid means that the object may be used.
	ReasonValid = "Valid"
	// ReasonSuspended means that the installation, the account or the site is suspended: what is due waits until it is not. Of an
	// EventSubscription and its EventDeliveries: the receiver has failed for 5 days, and events wait until the subscription is
	// resumed.
	ReasonSuspended = "Suspended"
	// ReasonLedgerMissing means that an Account which had an AccountLedger has none: nothing is generated until somebody restores it, or
	// confirms with the annotation pressroom.dev/restore-confirmed that an empty one begins. Also of ConditionGenerated.
	ReasonLedgerMissing = "LedgerMissing"
	// ReasonStopped means that an attempt of a run was cut off because the controller was stopped. It does not count.
	ReasonStopped = "Stopped"
	// ReasonRestored means that the Site comes from a backup or is a copy: nothing is generated or sent until somebody confirms it with
	// the annotation pressroom.dev/restore-confirmed.
	ReasonRestored = "Restored"
	// ReasonInvalidSecret means that the signing secret of a subscription is not whsec_ and the base64 of 24 to 64 bytes, or that a
	// Secret is for another address (AddressAnnotation); what needs it waits. Also of ConditionConnected.
	ReasonInvalidSecret = "InvalidSecret"
	// ReasonSubscriptionNotFound means that an event's subscription no longer exists.
	ReasonSubscriptionNotFound = "SubscriptionNotFound"
	// ReasonConfigured means that everything that publishing to the site needs exists. Of a Site's ConditionReady.
	ReasonConfigured = "Configured"
	// ReasonPulled means that nothing is sent to the site: it reads articles from the API.
	ReasonPulled = "Pulled"
)

// Reasons of ConditionConnected, in addition to those above.
const (
	// ReasonNotTested means that the connection has not been tested since it was last changed.
	ReasonNotTested = "NotTested"
	// ReasonTesting means that a test is in progress.
	ReasonTesting = "Testing"
	// ReasonReceiverAccepted means that the receiver answered the test with 2xx in time.
	ReasonReceiverAccepted = "ReceiverAccepted"
	// ReasonConnectionFailed means that the test got no answer: the look-up, the connection or TLS failed.
	ReasonConnectionFailed = "ConnectionFailed"
	// ReasonOutcomeUnknown means that the controller's process ended during the test, which may have reached the
	// receiver.
	ReasonOutcomeUnknown = "OutcomeUnknown"
	// ReasonSameURL means that another Site has the same URL. Of ConditionDestinationShared.
	ReasonSameURL = "SameURL"
)
