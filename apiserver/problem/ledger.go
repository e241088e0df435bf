package problem

import (
	"errors"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// InsufficientCredits is the answer to an account without credits.
func InsufficientCredits() *APIError {
	return New(http.StatusPaymentRequired, CodeInsufficientCredits, "the account has no credits left")
}

// DailyLimit is the answer if a site has made as many articles today as it may.
func DailyLimit(after time.Duration) *APIError {
	return New(http.StatusTooManyRequests, CodeRateLimited,
		"the site's daily limit of articles is reached; it begins anew at 00:00 UTC").After(after)
}

func minuteLimit(after time.Duration) *APIError {
	return New(http.StatusTooManyRequests, CodeRateLimited,
		"more than 60 articles were asked for within a minute").After(after)
}

// FromLedger translates an error of the ledger. An unexpected one is returned as it is.
func FromLedger(err error) error {
	limit, ok := errors.AsType[*ledger.LimitError](err)
	switch {
	case !ok && apierrors.IsNotFound(err):
		// The account was deleted while its key was still cached.
		return Unauthorized()
	case !ok:
		return err
	}
	switch limit.Code {
	case ledger.RateLimited:
		return minuteLimit(limit.RetryAfter)
	case ledger.DailyLimit:
		return DailyLimit(limit.RetryAfter)
	case ledger.InsufficientCredits, ledger.UsageUnknown:
		return InsufficientCredits()
	default:
		return Unavailable("too many articles of the account are being started at once", limit.RetryAfter)
	}
}
