package rest

import (
	"errors"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func minuteLimit(after time.Duration) *APIError {
	return failure(http.StatusTooManyRequests, CodeRateLimited,
		"more than 60 articles were asked for within a minute").after(after)
}

func dailyLimit(after time.Duration) *APIError {
	return failure(http.StatusTooManyRequests, CodeRateLimited,
		"the site's daily limit of articles is reached; it begins anew at 00:00 UTC").after(after)
}

func insufficientCredits() *APIError {
	return failure(http.StatusPaymentRequired, CodeInsufficientCredits, "the account has no credits left")
}

// limitFailure translates the ledger's word. What nobody expected stays as it is.
func limitFailure(err error) error {
	limit, ok := errors.AsType[*ledger.LimitError](err)
	switch {
	case !ok && apierrors.IsNotFound(err):
		// The account went away while its key was still known.
		return unauthorized()
	case !ok:
		return err
	}
	switch limit.Code {
	case ledger.RateLimited:
		return minuteLimit(limit.RetryAfter)
	case ledger.DailyLimit:
		return dailyLimit(limit.RetryAfter)
	case ledger.InsufficientCredits:
		return insufficientCredits()
	default:
		return unavailable("too many articles of the account are being started at once", limit.RetryAfter)
	}
}
