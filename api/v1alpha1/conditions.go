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

	// ConditionDelivered is on an EventDelivery: True if the receiver has accepted the event. Its reasons are those of ConditionPublished.
	ConditionDelivered = "Delivered"

	// ConditionDispatching is on an EventSubscription, present only while False: kube-apiserver has refused the last EventDelivery that
	// was to be made for it. Its reason is ReasonEventRefused.
	ConditionDispatching = "Dispatching"

	// ConditionConnected is on a Site: True if its receiver has accepted a test, or nothing is sent to it. Unknown while the current
	// connection has not been tested.
	ConditionConnected = "Connected"
	// ConditionDelivering is on a Site that articles are sent to, once one was: False if the last attempts have all failed, with the
	// reason of the last one. Its reasons are ReasonDelivered and those of ConditionConnected.
	ConditionDelivering = "Delivering"
	// ConditionDestinationShared is on a Site, present only while True: another Site publishes to the same destination, so that a post of
	// one can overwrite a post of the other.
	ConditionDestinationShared = "DestinationShared"
)

// Reasons of ConditionGenerated.
const (
	// ReasonGenerating means that a run is in progress or about to start.
	// Of Article: nothing to do. If it stays for long, see docs/how-to/operate.md, Slots.
	ReasonGenerating = "Generating"
	// ReasonRetryScheduled means that the last attempt failed and the next one has a due time. Also of ConditionPublished.
	// Of Article, EventDelivery: the message has the cause of the last failure, and the time of the next attempt. Remove the cause.
	ReasonRetryScheduled = "RetryScheduled"
	// ReasonInsufficientCredits means that the account has no credit for the run, which waits.
	// Of Article: raise `spec.credits` of the Account; the run starts by itself.
	ReasonInsufficientCredits = "InsufficientCredits"
	// ReasonDailyLimitReached means that the site's daily limit is used up; the run waits for the next UTC day.
	// Of Article: wait for 00:00 UTC, or raise the limit of the Site or the Account.
	ReasonDailyLimitReached = "DailyLimitReached"
	// ReasonDailyTokensExceeded means that the site's tokens of the day are used up; the run waits for the next UTC day.
	// Of Article: wait for 00:00 UTC, or raise `limits.tokensPerDay` of the Site.
	ReasonDailyTokensExceeded = "DailyTokensExceeded"
	// ReasonBudgetReached means that the account's budget of the month is used up; the run waits for the 1st of the next month, UTC.
	// Of Article: wait for the next month, or raise `spec.budget` of the Account; the run starts by itself.
	ReasonBudgetReached = "BudgetReached"
	// ReasonBudgetWithoutPrices means that the account has a budget in money, and the run's generator has no prices in its currency; the
	// run waits.
	// Of Article: set `spec.generator.prices` of the Site that the message names, or `--generator-price-...` of the controller.
	ReasonBudgetWithoutPrices = "BudgetWithoutPrices"
	// ReasonQueued means that the account's ledger is full of charges that are not confirmed yet; the run waits.
	// Of Article: nothing to do: the run starts by itself.
	ReasonQueued = "Queued"
	// ReasonSucceeded means that the last run made a revision.
	// Of Article: nothing to do.
	ReasonSucceeded = "Succeeded"
	// ReasonRefused means that the model refused to write the article.
	// Of Article: change the keyword or the tone, or use another model.
	ReasonRefused = "Refused"
	// ReasonInvalidAnswer means that the model's answers could not be used, after a repair turn each.
	// Of Article: use a model that follows formats better.
	ReasonInvalidAnswer = "InvalidAnswer"
	// ReasonInvalidRequest means that every run would fail, because of what the author or the site asks for. No run begins, and no credit
	// is taken.
	// Of Article: change the field that the message names.
	ReasonInvalidRequest = "InvalidRequest"
	// ReasonTruncated means that the model's answer was cut off at its length limit.
	// Of Article: use a model, or settings of it, that allow longer answers.
	ReasonTruncated = "Truncated"
	// ReasonArticleTokensExceeded means that the run took `limits.tokensPerArticle` of the Site and had no article by then.
	// Of Article: raise the limit, or ask for a shorter article.
	ReasonArticleTokensExceeded = "ArticleTokensExceeded"
	// ReasonRateLimited means that the endpoint of the model answered 429 on every attempt. Also of ConditionConnected, if the CMS asks for
	// fewer requests.
	// Of Article, Site: raise the limits of the endpoint or of the CMS, or lower `--max-runs-per-host`.
	ReasonRateLimited = "RateLimited"
	// ReasonTimeout means that the endpoint of the model, or the receiver of a test, did not answer in time on any attempt. Also of
	// ConditionConnected.
	// Of Article, Site: see whether it answers at all.
	ReasonTimeout = "Timeout"
	// ReasonBackendRejected means that the endpoint of the model refused the request, and a retry would not help: wrong key, unknown model,
	// bad request.
	// Of Article: correct the key, the model or the URL.
	ReasonBackendRejected = "BackendRejected"
	// ReasonBackendUnavailable means that the endpoint of the model could not be reached or answered 5xx on every attempt.
	// Of Article: see whether network policies let the controller reach the endpoint.
	ReasonBackendUnavailable = "BackendUnavailable"
	// ReasonInterrupted means that the controller's process was killed during every attempt.
	// Of Article: look for the cause in the controller's Pod.
	ReasonInterrupted = "Interrupted"
	// ReasonSuperseded means that the author's own text replaced the run.
	// Of Article: nothing to do.
	ReasonSuperseded = "Superseded"
)

// Reasons of ConditionUpToDate, in addition to those of the conditions by which the other text waits.
const (
	// ReasonUpToDate means that the site has the text that the manifest asks for.
	// Of Article: nothing to do.
	ReasonUpToDate = "UpToDate"
	// ReasonUpdatesFrozen means that the manifest asks for another text than the site has, and the site keeps it: published articles of
	// this Site are not updated, so nothing is generated or sent.
	// Of Article: take the change back, write another article, or have the Site take updates.
	ReasonUpdatesFrozen = "UpdatesFrozen"
	// ReasonSiteUncertain means that an attempt may have written the post or taken it back, no answer says whether it did, and no further
	// attempt is due. The next accepted attempt ends it: of an approved text, of a redelivery, or of taking the post back.
	// Of Article: the message says why it is not known. Look at the site. Then redeliver, approve a text, or unpublish.
	ReasonSiteUncertain = "SiteUncertain"
	// ReasonPublishing means that an approved text is on its way to the site, which does not have it yet. Also of ConditionReady.
	// Of Article: nothing to do.
	ReasonPublishing = "Publishing"
	// ReasonUnpublishing means that the post is to be taken back from the site. Also of ConditionReady.
	// Of Article: nothing to do.
	ReasonUnpublishing = "Unpublishing"
	// ReasonUnpublished means that the post was taken back from the site. Only of ConditionPublished and ConditionReady.
	// Of Article: publish the article again, or leave it so.
	ReasonUnpublished = "Unpublished"
)

// Reasons of ConditionApproved.
const (
	// ReasonAwaitingReview means that the current revision waits for a reviewer. Also of ConditionReady.
	// Of Article: read the text, then approve or reject it.
	ReasonAwaitingReview = "AwaitingReview"
	// ReasonAwaitingApprovals means that reviewers approved the current revision, but fewer than the Site asks for. Also of ConditionReady.
	// Of Article: somebody who has not approved this text yet approves it, too; the message says who has.
	ReasonAwaitingApprovals = "AwaitingApprovals"
	// ReasonApproved means that a reviewer approved the current revision.
	// Of Article: nothing to do if publication is asked for; otherwise as for `NotRequested`.
	ReasonApproved = "Approved"
	// ReasonAutomatic means that the site's review policy approved the current revision.
	// Of Article: nothing to do if publication is asked for; otherwise as for `NotRequested`.
	ReasonAutomatic = "Automatic"
	// ReasonGateFailed means that the Site's review policy is Automatic, and the revision fails the gates that the message names, or has
	// less than `review.minimumScore`. It waits for a reviewer.
	// Of Article: read the text, then approve or reject it, or ask for another one.
	ReasonGateFailed = "GateFailed"
	// ReasonRejected means that a reviewer rejected the current revision. Also of ConditionReady.
	// Of Article: edit or regenerate it; a reviewer can also approve it after all.
	ReasonRejected = "Rejected"
	// ReasonContentChanged means that the decision in the manifest is for another text than the current revision: the text has changed
	// since, or `review.digest` names another one. Also of ConditionReady and ConditionUpToDate.
	// Of Article: the message has the beginning of both digests. `kubectl pressroom diff` shows what has changed; decide on the digest of
	// the text in review.
	ReasonContentChanged = "ContentChanged"
	// ReasonInvalidContent means that the author's content cannot become an article; the message says what is required. Also of
	// ConditionPublished, if the CMS does not accept a field of the article, and of ConditionConnected, if it has no such field.
	// Of Article, Site: change the field of `content`, or of the CMS, that the message names.
	ReasonInvalidContent = "InvalidContent"
	// ReasonFetchingImage means that the featured image is being fetched, or waits for a slot for that.
	// Of Article: wait.
	ReasonFetchingImage = "FetchingImage"
	// ReasonImageUnavailable means that the host of the featured image does not give it; the message says why.
	// Of Article: it is tried again by itself. If it goes on, correct `content.image.url`.
	ReasonImageUnavailable = "ImageUnavailable"
	// ReasonInvalidImage means that the URL of the featured image leads to nothing that can be published: to no image, to one that is too
	// large, or to an address that is not public; the message says which. It is looked at again later.
	// Of Article: correct `content.image.url`, or replace the file.
	ReasonInvalidImage = "InvalidImage"
	// ReasonRevisionRefused means that kube-apiserver refuses the ArticleRevision, such as because of a quota or a policy of the workspace.
	// Also of ConditionGenerated.
	// Of Article: raise the quota, or change the policy, that the message names, or the text.
	ReasonRevisionRefused = "RevisionRefused"
	// ReasonRevisionMissing means that a revision has been deleted or replaced and cannot be made again; the message says what to do.
	// Of Article: restore the ArticleRevision from a backup; otherwise regenerate the article, or change `content` if you wrote the body.
	ReasonRevisionMissing = "RevisionMissing"
	// ReasonNoRevision means that there is nothing to review yet.
	// Of Article: the condition `Generated` says why.
	ReasonNoRevision = "NoRevision"
)

// Reasons of ConditionPublished.
const (
	// ReasonNotRequested means that the author's stage is not Published.
	// Of Article: set `stage` to `Published` if it is to be published.
	ReasonNotRequested = "NotRequested"
	// ReasonNotApproved means that publication is asked for, and waits for the reviewer.
	// Of Article: approve the text, or reject it.
	ReasonNotApproved = "NotApproved"
	// ReasonScheduled means that publishing waits for publishAfter. Also of ConditionReady.
	// Of Article: nothing to do until `publishAfter`.
	ReasonScheduled = "Scheduled"
	// ReasonDelivering means that an attempt is in progress.
	// Of Article, EventDelivery, Site: nothing to do. If it stays for long, see docs/how-to/operate.md, Slots.
	ReasonDelivering = "Delivering"
	// ReasonDelivered means that the receiver accepted the article or the event. Also of ConditionReady.
	// Of Article, EventDelivery, Site: nothing to do.
	ReasonDelivered = "Delivered"
	// ReasonPublished means that the site pulls, and the article can be read.
	// Of Article: nothing to do.
	ReasonPublished = "Published"
	// ReasonExhausted means that the first attempt and three retries failed.
	// Of Article, EventDelivery: repair the receiver, then redeliver.
	ReasonExhausted = "Exhausted"
	// ReasonPostRefused means that kube-apiserver refuses the Post which claims the slug, such as because of a quota or a policy of the
	// workspace. Nothing is sent without it.
	// Of Article: raise the quota, or change the policy, that the message names.
	ReasonPostRefused = "PostRefused"
	// ReasonSlugClaimed means that another article has the slug at the destination that the Site has by now. Something may have been sent
	// under the slug elsewhere, so it does not change.
	// Of Article: give the Site its old URL again, or delete the other article and its Post.
	ReasonSlugClaimed = "SlugClaimed"
	// ReasonAddressBlocked means that the receiver's address is not a public one, which is final. Also of ConditionConnected.
	// Of Article, Site, EventSubscription, EventDelivery: use a URL on a public address.
	ReasonAddressBlocked = "AddressBlocked"
	// ReasonReceiverRejected means that the receiver answered 410, which is final. Also of ConditionConnected, for any status that is not
	// 2xx.
	// Of Article, EventDelivery, Site: correct the receiver. 401 means that it has another signing secret, or the Secret a line break
	// behind it; 404, that it has another path.
	ReasonReceiverRejected = "ReceiverRejected"
	// ReasonNotSent means that something that a request needs was missing, which is final; the message names it.
	// Of Article, EventDelivery: add it, then redeliver.
	ReasonNotSent = "NotSent"
	// ReasonSecretNotFound means that a Secret that the connection needs is missing or empty; the article waits for it. Also of
	// ConditionConnected.
	// Of Article, Site, EventSubscription, EventDelivery: create the Secret that the message names, with the key. Pressroom looks for it
	// every 30 seconds.
	ReasonSecretNotFound = "SecretNotFound"
	// ReasonBriefNotFound means that the Brief of an article does not exist; the article waits for it. Only of ConditionGenerated and
	// ConditionApproved.
	// Of Article: create the Brief that the message names, or name another one. Pressroom looks for it every 30 seconds.
	ReasonBriefNotFound = "BriefNotFound"
	// ReasonNotSupportedYet means that this version cannot publish to the site's CMS type, or cannot take a post back from the address
	// that the Site had before. Also of ConditionConnected.
	// Of Article, Site: use a type of CMS that this version publishes to. If the message names the earlier address, remove the post there
	// by hand.
	ReasonNotSupportedYet = "NotSupportedYet"
)

// Reasons of ConditionPublished and ConditionConnected for sites of a CMS. ReasonInvalidContent and ReasonRateLimited are among them too.
// The first five and ReasonInvalidContent are final until the Site's connection or the article changes.
const (
	// ReasonWrongCredentials means that the CMS does not accept the credentials.
	// Of Article, Site: correct the credentials in the Secret. The page of the CMS says what can be wrong with them.
	ReasonWrongCredentials = "WrongCredentials"
	// ReasonMissingPermission means that the credentials may not do what publishing needs; the message names it.
	// Of Article, Site: give the user or token of the CMS the permission that the message names.
	ReasonMissingPermission = "MissingPermission"
	// ReasonNotFound means that the CMS does not have what the Site names; the message names it.
	// Of Article, Site: correct the field of the Site that the message names.
	ReasonNotFound = "NotFound"
	// ReasonSlugTaken means that a post of the CMS which Pressroom has not made has the slug; `status.publication.cycle.conflictURL` is its
	// address. Nothing was written.
	// Of Article: ask for another slug in `content.slug`; or change that post and redeliver; or set `existingPosts: Adopt` on the Site.
	ReasonSlugTaken = "SlugTaken"
	// ReasonChangedAtSite means that somebody has changed the post in the CMS. Nothing was written, until somebody asks for that with
	// OverwriteAnnotation. Also of ConditionUpToDate.
	// Of Article: leave it so, or annotate `pressroom.dev/overwrite`.
	ReasonChangedAtSite = "ChangedAtSite"
	// ReasonImageChanged means that the URL of the featured image leads to another file than the one that was reviewed. Nothing was sent.
	// Of Article: put the approved file back and redeliver; or edit `content`, such as `content.image.url`, to have the new file reviewed.
	ReasonImageChanged = "ImageChanged"
	// ReasonUnavailable means that the CMS could not answer a test. Only of ConditionConnected.
	// Of Site: test again later.
	ReasonUnavailable = "Unavailable"
	// ReasonUnexpectedAnswer means that the answer to a test is not what the CMS answers. Only of ConditionConnected.
	// Of Site: the URL is not that of the CMS, or something before it answers in its place.
	ReasonUnexpectedAnswer = "UnexpectedAnswer"
)

// Reasons of ConditionReady, in addition to those above.
const (
	// ReasonSiteNotFound means that the Site does not exist. The article continues when it is created. Also of ConditionGenerated and
	// ConditionPublished.
	// Of Article: create the Site in the same namespace, or correct `siteRef` in another Article.
	ReasonSiteNotFound = "SiteNotFound"
	// ReasonNotAWorkspace means that the namespace does not have the account label. Also of ConditionGenerated.
	// Of Article: label the namespace with `pressroom.dev/account`.
	ReasonNotAWorkspace = "NotAWorkspace"
	// ReasonAccountNotFound means that the account does not exist. Also of ConditionGenerated.
	// Of Article, APIKey, OAuthClient, OAuthGrant: create the Account that the object or the namespace's label names.
	ReasonAccountNotFound = "AccountNotFound"
	// ReasonDraft means that the author keeps the article as a draft.
	// Of Article: finish the text, then set `stage` to `Review` or `Published`.
	ReasonDraft = "Draft"
	// ReasonArchived means that the author archived the article. Also of ConditionGenerated.
	// Of Article: nothing to do. Set another `stage` to bring it back.
	ReasonArchived = "Archived"
	// ReasonGenerationFailed means that there is no revision and generating one failed.
	// Of Article: the condition `Generated` says why.
	ReasonGenerationFailed = "GenerationFailed"
	// ReasonDeliveryFailed means that delivery ended in failure: of the text, or of taking the post back.
	// Of Article: the message begins with the reason of the failure.
	ReasonDeliveryFailed = "DeliveryFailed"
	// ReasonProgressing means that the delivery is due, and begins when the receiver has a free slot. Also of ConditionPublished.
	// Of Article, EventDelivery: nothing to do. If it stays for long, see docs/how-to/operate.md, Slots.
	ReasonProgressing = "Progressing"
	// ReasonRevisionNameTaken means that revisions of a deleted article with the same name are still being collected. Also of
	// ConditionApproved.
	// Of Article: nothing to do. Without a garbage collector, delete them.
	ReasonRevisionNameTaken = "RevisionNameTaken"
	// ReasonRequestRepeated means that another Article was created with the same Idempotency-Key: nothing is made of this one. Also of
	// ConditionGenerated.
	// Of Article: delete this one, or remove its annotation `pressroom.dev/request-hash`.
	ReasonRequestRepeated = "RequestRepeated"
	// ReasonRequestRefused means that kube-apiserver refuses the IdempotencyRecord of the request that created the Article, such as
	// because of a quota or a policy of the workspace. Nothing is charged or made without it. Also of ConditionGenerated.
	// Of Article: raise the quota, or change the policy, that the message names.
	ReasonRequestRefused = "RequestRefused"
	// ReasonLedgerRefused means that kube-apiserver refuses to write the AccountLedger, such as because of a policy. Nothing is generated
	// for the account meanwhile. Also of ConditionGenerated.
	// Of Article, Account: change the policy that the message names.
	ReasonLedgerRefused = "LedgerRefused"
	// ReasonEventRefused means that kube-apiserver refuses EventDeliveries of the subscription, such as because of a quota or a policy of
	// the workspace. Also of ConditionDispatching.
	// Of EventSubscription: raise the quota, or change the policy, that the message names.
	ReasonEventRefused = "EventRefused"
	// ReasonAwaitingExchange means that the client has not exchanged the code of a grant yet.
	// Of OAuthGrant: the client has 10 minutes to exchange the code.
	ReasonAwaitingExchange = "AwaitingExchange"
	// ReasonRevoked means that a grant was revoked.
	// Of OAuthGrant: nothing to do. The person can grant access again.
	ReasonRevoked = "Revoked"
	// ReasonKeyRevoked means that the API key with which a grant was given was revoked.
	// Of OAuthGrant: nothing to do. The person can grant access again, with another key.
	ReasonKeyRevoked = "KeyRevoked"
	// ReasonMembershipEnded means that the person who gave a grant is no longer a member of the account.
	// Of OAuthGrant: add the person to `spec.members`, and have them grant access again.
	ReasonMembershipEnded = "MembershipEnded"
	// ReasonExpired means that the key, the secrets of the client, the code or the token are past their time, or the event could not be
	// delivered within 7 days.
	// Of EventDelivery, APIKey, OAuthClient, OAuthGrant: make another key, secret or token; an event is not sent any more.
	ReasonExpired = "Expired"
	// ReasonValid means that the object may be used.
	// Of Account, APIKey, EventSubscription, OAuthClient, OAuthGrant: nothing to do: it works.
	ReasonValid = "Valid"
	// ReasonSuspended means that the installation, the account or the site is suspended: what is due waits until it is not. Of an
	// EventSubscription and its EventDeliveries, it means that somebody suspended the subscription, or that its receiver has failed for 5
	// days. Also of ConditionGenerated, ConditionPublished and ConditionDelivered.
	// Of Article, Site, Account, OAuthClient, EventSubscription, EventDelivery: end the suspension that the message names. If the
	// receiver of a subscription has failed, repair it, then annotate `pressroom.dev/resume`.
	ReasonSuspended = "Suspended"
	// ReasonLedgerMissing means that an Account which had an AccountLedger has none: nothing is generated until somebody restores it, or
	// confirms with the annotation `pressroom.dev/restore-confirmed` that an empty one begins. Also of ConditionGenerated.
	// Of Account, Article: restore the AccountLedger, or have another one begin. Runs start by themselves then.
	ReasonLedgerMissing = "LedgerMissing"
	// ReasonStopped means that an attempt of a run was cut off because the controller was stopped. It does not count. Also of
	// ConditionGenerated.
	// Of Article: nothing to do.
	ReasonStopped = "Stopped"
	// ReasonRestored means that the Site comes from a backup or is a copy: nothing is generated or sent until somebody confirms it with the
	// annotation `pressroom.dev/restore-confirmed`.
	// Of Site: check the Site, then set the annotation to its `metadata.uid`. The page on backups says what to look at.
	ReasonRestored = "Restored"
	// ReasonInvalidSecret means that the signing secret of a subscription is not `whsec_` and the base64 of 24 to 64 bytes, or the Secret
	// of a site is for another address (AddressAnnotation); what needs it waits. Also of ConditionPublished and ConditionConnected.
	// Of Article, Site, EventSubscription, EventDelivery: write another secret, or type the credentials again for this address.
	ReasonInvalidSecret = "InvalidSecret"
	// ReasonSubscriptionNotFound means that the subscription of the event no longer exists. Also of ConditionDelivered.
	// Of EventDelivery: nothing to do: its events end with it.
	ReasonSubscriptionNotFound = "SubscriptionNotFound"
	// ReasonConfigured means that everything that publishing to the site needs exists. Only of ConditionReady.
	// Of Site: nothing to do.
	ReasonConfigured = "Configured"
	// ReasonPulled means that nothing is sent to the site: it reads articles from the API. Only of ConditionReady and ConditionConnected.
	// Of Site: nothing to do.
	ReasonPulled = "Pulled"
)

// Reasons of ConditionConnected, in addition to those above.
const (
	// ReasonNotTested means that the connection has not been tested since it was last changed.
	// Of Site: annotate `pressroom.dev/test-connection`.
	ReasonNotTested = "NotTested"
	// ReasonTesting means that a test is in progress.
	// Of Site: nothing to do. If it stays for long, see docs/how-to/operate.md, Slots.
	ReasonTesting = "Testing"
	// ReasonReceiverAccepted means that the receiver answered the test with 2xx in time.
	// Of Site: nothing to do.
	ReasonReceiverAccepted = "ReceiverAccepted"
	// ReasonConnectionFailed means that the test got no answer: the look-up, the connection or TLS failed.
	// Of Site: `status.connectionTest` has the class of the error.
	ReasonConnectionFailed = "ConnectionFailed"
	// ReasonOutcomeUnknown means that the controller's process ended during the test, which may have reached the receiver.
	// Of Site: test again.
	ReasonOutcomeUnknown = "OutcomeUnknown"
	// ReasonSameURL means that another Site has the same URL, so that a post of one can overwrite a post of the other. Only of
	// ConditionDestinationShared.
	// Of Site: give one of them another URL, or delete it.
	ReasonSameURL = "SameURL"
)
