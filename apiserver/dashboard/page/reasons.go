package page

import (
	"cmp"

	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
)

// InProgress is the outcome of an attempt that has not ended, and the class of its badge.
const InProgress = "in_progress"

// Mark is a state in words, and the class of its badge.
type Mark struct{ Class, Text string }

// ReasonWord returns a reason in words.
func ReasonWord(name string) string { return cmp.Or(reason.Of(name).Text(), name) }

// Advice returns what to do about a reason, given the receiver's status if it answered.
func Advice(name string, httpStatus *int32) string {
	if httpStatus != nil && (name == "receiver_rejected" || name == "exhausted") {
		switch status := *httpStatus; {
		case Words.Advice[status] != "":
			return Words.Advice[status]
		case status >= 300 && status < 400:
			return "The receiver redirects, which is not followed: send to the address that it redirects to."
		case status >= 500:
			return "The receiver itself failed: its log has more."
		}
	}
	return reason.Of(name).Advice
}

// CmsNone is the type of a site that nothing is sent to.
const CmsNone = "none"
