package page

import (
	"strings"

	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/internal/connectors"
)

// InProgress is the outcome of an attempt that has not ended, and the class of its badge.
const InProgress = "in_progress"

// Mark is a state in words, and the class of its badge.
type Mark struct{ Class, Text string }

// reasonWords are a reason of a connection or a delivery in words, and what to do about it; empty if there is nothing to do.
type reasonWords struct{ Word, Advice string }

// reasons are those of docs/reference/reasons.md, in the form of the REST API.
var reasons = map[string]reasonWords{
	"not_tested":         {"Not tested", "Test the connection: it sends one signed request that is no article, or checks the CMS."},
	"testing":            {"Being tested", ""},
	"receiver_accepted":  {"Works", ""},
	"delivered":          {"Accepted", ""},
	"pulled":             {"Nothing is sent", ""},
	"suspended":          {"Suspended", "Nothing is sent until the suspension of the site, the account or the installation ends."},
	"restored":           {"Held back", "The site comes from a backup or is a copy. The operator has to release it."},
	"secret_not_found":   {"The Secret is missing", "Store the credential of the site again. It is looked for every 30 seconds."},
	"address_blocked":    {"Address not allowed", "The site must have a public address; credentials are sent by https alone."},
	"not_supported_yet":  {"Not supported", "This version cannot publish to a site of this type."},
	"wrong_credentials":  {"Wrong credentials", "Store credentials of the CMS that work, and test the connection."},
	"missing_permission": {"A permission is missing", "Give the user or token of the CMS the permission that the message names."},
	"not_found":          {"Not found in the CMS", "The address or the place in the CMS does not exist: see the message."},
	"invalid_content":    {"The CMS refused the text", "Change what the message names: the article, or the settings of the CMS."},
	"slug_taken": {"Another post has the address",
		"A post that Pressroom has not made has it, and stays as it is. Give the article another slug, or change that post and send it."},
	"slug_claimed": {"Another article has the slug", "Give the site its old address again, or delete the other article."},
	"changed_at_site": {"Changed in the CMS",
		"Somebody has changed the post there, and it stays so. Leave it, or have it overwritten by somebody who may approve."},
	"rate_limited":      {"Too many requests", "The CMS asks to wait. It is tried again by itself."},
	"unavailable":       {"The CMS is not available", "It is tried again by itself. If it goes on, see the CMS's own status."},
	"unexpected_answer": {"Unexpected answer", "What answers is perhaps not the CMS: see the message and the beginning of the answer."},
	"receiver_rejected": {"Refused by the receiver", "The status says why. The receiver's own log has more."},
	"timeout":           {"No answer in time", "The receiver must answer within 30 seconds: answer first, and work afterwards."},
	"connection_failed": {"No connection", "Nothing answered: see the message. Check the address, its certificate and its firewall."},
	"outcome_unknown":   {"Outcome not known", "The controller ended during the test. Test again."},
	"exhausted":         {"All attempts failed", "Look at the last answer, mend the receiver, and send it again."},
	"retry_scheduled":   {"Waits for its next attempt", ""},
	"not_sent":          {"Nothing was sent", "The message says what is missing."},
}

// statusAdvice is what an HTTP status of a receiver that refuses means most often.
var statusAdvice = map[int32]string{
	401: "401: the receiver has another signing secret.",
	403: "403: the receiver, or a firewall before it, does not let the request in.",
	404: "404: the receiver has another path.",
	405: "405: the receiver takes no POST at this path.",
	410: "410: the receiver wants no more requests at this address.",
	413: "413: the receiver takes only smaller bodies.",
}

// ReasonWord returns a reason in words.
func ReasonWord(reason string) string {
	if words, ok := reasons[reason]; ok {
		return words.Word
	}
	return humanized(reason)
}

// Advice returns what to do about a reason, given the receiver's status if it answered.
func Advice(reason string, httpStatus *int32) string {
	if httpStatus != nil && (reason == "receiver_rejected" || reason == "exhausted") {
		switch status := *httpStatus; {
		case statusAdvice[status] != "":
			return statusAdvice[status]
		case status >= 300 && status < 400:
			return "The receiver redirects, which is not followed: send to the address that it redirects to."
		case status >= 500:
			return "The receiver itself failed: its log has more."
		}
	}
	return reasons[reason].Advice
}

// cmsName is a type of sites as people know it.
func cmsName(cmsType restsite.CMSType) string {
	form, _ := connectors.FormOf(cmsType)
	return form.Label
}

// Outcomes are those of an attempt in words.
var Outcomes = map[string]Mark{
	InProgress: {InProgress, "In progress"}, "accepted": {"ok", "Accepted"}, "rejected": {"failed", "Refused"},
	"timeout": {"failed", "No answer in time"}, "connection_failed": {"failed", "No connection"},
	"address_blocked": {"failed", "Address not allowed"}, "not_sent": {"failed", "Nothing was sent"},
	"unknown": {"warn", "Outcome not known"},
}

// humanized returns a word of the REST API, such as server_error, as people write it.
func humanized(word string) string {
	if word == "" {
		return ""
	}
	text := strings.ReplaceAll(word, "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// CmsNone is the type of a site that nothing is sent to.
const CmsNone = "none"
