// Package reason has the reasons of conditions in words for people who see no manifests: for the answers of the REST API, and for the
// dashboard.
package reason

import (
	"cmp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Words are a reason in English for editors.
type Words struct {
	// Sentence says what is so, in lower case and without a full stop.
	Sentence string
	// Label is what a badge says; the sentence if it is empty.
	Label string
	// Advice is what to do about it; empty if there is nothing to do, or the sentence says it.
	Advice string
	// Alone means that the message of the condition speaks to operators, so that the sentence stands in its place.
	Alone bool
}

// words has a row for each reason of conditions.Reasons.
var words = map[string]Words{
	// Of the text.
	v1alpha1.ReasonGenerating: {Sentence: "a text is being generated, or is about to be"},
	v1alpha1.ReasonRetryScheduled: {
		Sentence: "the last attempt failed, and another one follows", Label: "Waits for its next attempt",
	},
	v1alpha1.ReasonStopped:             {Sentence: "the last attempt was interrupted, and another one follows"},
	v1alpha1.ReasonInsufficientCredits: {Sentence: "the account has no credits left: generation goes on when it has"},
	v1alpha1.ReasonDailyLimitReached:   {Sentence: "the site's limit of articles for the day is reached"},
	v1alpha1.ReasonNotAWorkspace:       {Sentence: "the workspace belongs to no account", Alone: true},
	v1alpha1.ReasonAccountNotFound:     {Sentence: "the workspace's account does not exist", Alone: true},
	v1alpha1.ReasonLedgerMissing:       {Sentence: "the account's credits are not available: an operator must restore them", Alone: true},
	v1alpha1.ReasonDailyTokensExceeded: {Sentence: "the site's tokens for the day are used up"},
	v1alpha1.ReasonQueued:              {Sentence: "the account has too many generations that have not begun: this one waits"},
	v1alpha1.ReasonInvalidRequest: {
		Sentence: "no text can be generated from this request: change it or the words that the site avoids",
	},
	v1alpha1.ReasonRequestRepeated: {
		Sentence: "another article was created with the same Idempotency-Key: delete this one", Alone: true,
	},
	v1alpha1.ReasonBackendRejected:       {Sentence: "the model's endpoint refuses the request: an operator finds out why"},
	v1alpha1.ReasonRefused:               {Sentence: "the model refused to write it: try other words"},
	v1alpha1.ReasonInvalidAnswer:         {Sentence: "the model's answers could not be used"},
	v1alpha1.ReasonTruncated:             {Sentence: "the model's answer was cut off: ask for a shorter text"},
	v1alpha1.ReasonArticleTokensExceeded: {Sentence: "it took the tokens that the site allows for an article: ask for a shorter text"},
	v1alpha1.ReasonBackendUnavailable:    {Sentence: "the model's endpoint was not available"},
	v1alpha1.ReasonInterrupted:           {Sentence: "all attempts were interrupted"},
	v1alpha1.ReasonSucceeded:             {Sentence: "the text is generated"},
	v1alpha1.ReasonSuperseded:            {Sentence: "somebody has written a text in place of the generated one"},
	v1alpha1.ReasonGenerationFailed:      {Sentence: "generating a text failed"},
	v1alpha1.ReasonNoRevision:            {Sentence: "there is no finished text yet"},
	v1alpha1.ReasonRevisionMissing: {
		Sentence: "the article's text is missing: regenerate the article, or write another text", Alone: true,
	},
	v1alpha1.ReasonFetchingImage: {Sentence: "the featured image is being fetched"},
	v1alpha1.ReasonImageUnavailable: {
		Sentence: "the featured image cannot be fetched", Label: "The image cannot be fetched",
		Advice: "It is tried again by itself. If it goes on, correct its address.",
	},
	v1alpha1.ReasonRevisionNameTaken: {Sentence: "a text of an earlier article is still being removed"},
	v1alpha1.ReasonSiteNotFound:      {Sentence: "the article's site does not exist: it goes on when it does"},

	// Of the review.
	v1alpha1.ReasonDraft:          {Sentence: "the article is a draft"},
	v1alpha1.ReasonArchived:       {Sentence: "the article is archived"},
	v1alpha1.ReasonAwaitingReview: {Sentence: "the text waits for a reviewer"},
	v1alpha1.ReasonGateFailed:     {Sentence: "it was not approved automatically"},
	v1alpha1.ReasonContentChanged: {Sentence: "the last decision was about another text"},
	v1alpha1.ReasonRejected:       {Sentence: "a reviewer rejected the text"},
	v1alpha1.ReasonApproved:       {Sentence: "the text is approved"},
	v1alpha1.ReasonAutomatic:      {Sentence: "the text was approved automatically"},

	// Of publishing.
	v1alpha1.ReasonNotRequested:   {Sentence: "its publication is not asked for", Alone: true},
	v1alpha1.ReasonNotApproved:    {Sentence: "the text is not approved", Alone: true},
	v1alpha1.ReasonScheduled:      {Sentence: "the article waits for its time"},
	v1alpha1.ReasonProgressing:    {Sentence: "the delivery is due, and begins as soon as the site has a free slot"},
	v1alpha1.ReasonDelivering:     {Sentence: "the article is being delivered to its site"},
	v1alpha1.ReasonDelivered:      {Sentence: "the site accepted the article", Label: "Accepted"},
	v1alpha1.ReasonPublished:      {Sentence: "the article may be read from the API"},
	v1alpha1.ReasonUpToDate:       {Sentence: "the site has the newest text"},
	v1alpha1.ReasonUpdatesFrozen:  {Sentence: "it was changed since, and the site keeps what it has"},
	v1alpha1.ReasonPublishing:     {Sentence: "the new text is on its way to the site"},
	v1alpha1.ReasonUnpublishing:   {Sentence: "the post is being taken back from its site"},
	v1alpha1.ReasonUnpublished:    {Sentence: "the post was taken back from its site"},
	v1alpha1.ReasonDeliveryFailed: {Sentence: "delivering the article failed"},
	v1alpha1.ReasonExhausted: {
		Sentence: "all attempts are used up",
		Label:    "All attempts failed", Advice: "Look at the last answer, mend the receiver, and send it again.",
	},
	v1alpha1.ReasonPostRefused: {Sentence: "the slug cannot be claimed at the moment: an operator finds out why", Alone: true},
	v1alpha1.ReasonSlugClaimed: {
		Sentence: "another article has the slug at this site, and the slug of this one may not change",
		Label:    "Another article has the slug",
		Advice:   "Give the site its old address again, or delete the other article.",
	},
	v1alpha1.ReasonNotSent:              {Sentence: "nothing was sent", Advice: "The message says what is missing."},
	v1alpha1.ReasonSubscriptionNotFound: {Sentence: "the subscription was deleted"},
	v1alpha1.ReasonExpired:              {Sentence: "it could not be sent in time, and is given up", Label: "Given up"},

	// What a receiver or a CMS answers.
	v1alpha1.ReasonReceiverRejected: {
		Sentence: "the receiver refuses it", Label: "Refused by the receiver",
		Advice: "The status says why. The receiver's own log has more.",
	},
	v1alpha1.ReasonTimeout: {
		Sentence: "there was no answer in time", Label: "No answer in time",
		Advice: "The receiver must answer within 30 seconds: answer first, and work afterwards.",
	},
	v1alpha1.ReasonConnectionFailed: {
		Sentence: "there was no connection", Label: "No connection",
		Advice: "Nothing answered: see the message. Check the address, its certificate and its firewall.",
	},
	v1alpha1.ReasonAddressBlocked: {
		Sentence: "the address is not public", Label: "Address not allowed",
		Advice: "It must be a public address; credentials are sent by https alone.",
	},
	v1alpha1.ReasonNotSupportedYet: {
		Sentence: "publishing to this type of CMS is not supported yet", Label: "Not supported",
		Advice: "This version cannot publish to a site of this type.",
	},
	v1alpha1.ReasonWrongCredentials: {
		Sentence: "the site refuses the credentials", Label: "Wrong credentials",
		Advice: "Store credentials of the CMS that work, and test the connection.",
	},
	v1alpha1.ReasonMissingPermission: {
		Sentence: "the site's credentials have too few rights", Label: "A permission is missing",
		Advice: "Give the user or token of the CMS the permission that the message names.",
	},
	v1alpha1.ReasonNotFound: {
		Sentence: "the CMS does not have what the site names", Label: "Not found in the CMS",
		Advice: "The address or the place in the CMS does not exist: see the message.",
	},
	v1alpha1.ReasonInvalidContent: {
		Sentence: "the text cannot become an article: edit it", Label: "The CMS refused the text",
		Advice: "Change what the message names: the article, or the settings of the CMS.",
	},
	v1alpha1.ReasonSlugTaken: {
		Sentence: "a post that Pressroom has not made has the slug", Label: "Another post has the address",
		Advice: "A post that Pressroom has not made has it, and stays as it is. " +
			"Give the article another slug, or change that post and send it.",
	},
	v1alpha1.ReasonChangedAtSite: {
		Sentence: "somebody has changed the post in the CMS", Label: "Changed in the CMS",
		Advice: "Somebody has changed the post there, and it stays so. Leave it, or have it overwritten by somebody who may approve.",
	},
	v1alpha1.ReasonImageChanged: {
		Sentence: "the featured image is not the approved one any more", Label: "Another image than the approved one",
		Advice: "Put the approved image back and send the article again, or edit the article to have the new one reviewed.",
	},
	v1alpha1.ReasonRateLimited: {
		Sentence: "there were too many requests", Label: "Too many requests", Advice: "The CMS asks to wait. It is tried again by itself.",
	},
	v1alpha1.ReasonUnavailable: {
		Sentence: "the CMS is not available",
		Advice:   "It is tried again by itself. If it goes on, see the CMS's own status.",
	},
	v1alpha1.ReasonUnexpectedAnswer: {
		Sentence: "the answer is not one of the CMS", Label: "Unexpected answer",
		Advice: "What answers is perhaps not the CMS: see the message and the beginning of the answer.",
	},

	// Of sites and their connections.
	v1alpha1.ReasonNotTested: {
		Sentence: "the connection has not been tested as it is now", Label: "Not tested", Alone: true,
		Advice: "Test the connection: it sends one signed request that is no article, or checks the CMS.",
	},
	v1alpha1.ReasonTesting:          {Sentence: "the connection is being tested", Label: "Being tested"},
	v1alpha1.ReasonReceiverAccepted: {Sentence: "the site accepted a test", Label: "Works"},
	v1alpha1.ReasonOutcomeUnknown: {
		Sentence: "how the test ended is not known", Label: "Outcome not known",
		Advice: "The controller ended during the test. Test again.",
	},
	v1alpha1.ReasonSameURL: {
		Sentence: "another site has the same address: a post of one can overwrite a post of the other", Alone: true,
	},
	v1alpha1.ReasonConfigured: {Sentence: "articles can be sent to the site"},
	v1alpha1.ReasonPulled:     {Sentence: "nothing is sent to the site: it reads its articles from the API", Label: "Nothing is sent"},
	v1alpha1.ReasonSecretNotFound: {
		Sentence: "a credential is missing: enter it again, or make a new one", Label: "The credential is missing", Alone: true,
		Advice: "Store the credential again. It is looked for every 30 seconds.",
	},
	v1alpha1.ReasonInvalidSecret: {
		Sentence: "a credential is not usable: enter it again, or make a new one", Label: "The credential is not usable", Alone: true,
	},
	v1alpha1.ReasonSuspended: {
		Sentence: "work is suspended, and goes on when that ends", Label: "Suspended", Alone: true,
		Advice: "Nothing is sent until the suspension of the site, the account or the installation ends.",
	},
	v1alpha1.ReasonRestored: {
		Sentence: "the site was restored or copied: it waits until an operator confirms that everything is there",
		Label:    "Held back", Alone: true,
		Advice: "The site comes from a backup or is a copy. The operator has to release it.",
	},

	// Of keys, apps and the access that people give to them.
	v1alpha1.ReasonValid:            {Sentence: "it works"},
	v1alpha1.ReasonAwaitingExchange: {Sentence: "the app has not taken up its access yet"},
	v1alpha1.ReasonRevoked:          {Sentence: "the access was taken back"},
	v1alpha1.ReasonKeyRevoked:       {Sentence: "the key that the access was given with is gone"},
	v1alpha1.ReasonMembershipEnded:  {Sentence: "the person who gave the access is no longer a member of the account"},
}

// byName has the words by the names of the reasons in the REST API.
var byName = func() map[string]Words {
	names := make(map[string]Words, len(words))
	for name, w := range words {
		names[operation.SnakeCase(name)] = w
	}
	return names
}()

// Of returns the words of a reason of a condition.
func Of(reason string) Words { return words[reason] }

// Named returns the words of a reason by its name in the REST API, such as wrong_credentials.
func Named(name string) Words { return byName[name] }

// Text is what a badge says.
func (w Words) Text() string {
	if w.Sentence == "" {
		return ""
	}
	return cmp.Or(w.Label, strings.ToUpper(w.Sentence[:1])+w.Sentence[1:])
}

// Message says for people why something is as a condition says.
func Message(c *metav1.Condition) string {
	if w := Of(c.Reason); w.Alone {
		return w.Sentence
	}
	return c.Message
}
