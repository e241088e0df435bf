package problem

import (
	"errors"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// InsufficientCredits is the answer to an account without credits.
func InsufficientCredits() *APIError {
	return New(http.StatusPaymentRequired, CodeInsufficientCredits, "the account has no credits left")
}

// DailyLimit is the answer if a site has made as many articles today as it may.
func DailyLimit(after time.Duration) *APIError {
	return New(http.StatusTooManyRequests, CodeRateLimited,
		"the site's daily limit of articles is reached; it starts again at 00:00 UTC").After(after)
}

func minuteLimit(after time.Duration) *APIError {
	return New(http.StatusTooManyRequests, CodeRateLimited,
		"more than 60 articles were asked for within a minute").After(after)
}

// LedgerMissing is the answer if the account has no ledger: a new one has none for a moment, and one that was restored without it has
// none until an administrator acts.
func LedgerMissing() *APIError {
	return Unavailable("the account's ledger is missing: nothing can be generated until it is there", DefaultRetryAfter)
}

// FromLedger translates an error of the ledger. An unexpected one is returned as it is.
func FromLedger(err error) error {
	limit, ok := errors.AsType[*ledger.LimitError](err)
	if !ok {
		return err
	}
	switch limit.Code {
	case ledger.RateLimited:
		return minuteLimit(limit.RetryAfter)
	case ledger.DailyLimit:
		return DailyLimit(limit.RetryAfter)
	case ledger.InsufficientCredits:
		return InsufficientCredits()
	case ledger.Missing:
		return LedgerMissing()
	default:
		return Unavailable("too many articles of the account are being started at once", limit.RetryAfter)
	}
}
