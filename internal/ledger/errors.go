package ledger

import (
	"errors"
	"fmt"
	"time"
)

// Code says which limit stands in the way of a charge.
type Code string

// The limits.
const (
	// RateLimited is the account's 60 calls in any minute.
	RateLimited Code = "RateLimited"
	// DailyLimit is the site's articles of a UTC day.
	DailyLimit Code = "DailyLimit"
	// InsufficientCredits is the account's credits.
	InsufficientCredits Code = "InsufficientCredits"
	// Busy is a ledger that has no room for another entry, or that others kept writing to.
	Busy Code = "Busy"
)

// LimitError is the answer to a charge that a limit forbids. Nothing was charged and nothing was counted.
type LimitError struct {
	Code Code
	// RetryAfter is how long the limit lasts at least, zero where time alone does not end it.
	RetryAfter time.Duration
}

// Error says which limit it is.
func (e *LimitError) Error() string {
	switch e.Code {
	case RateLimited:
		return fmt.Sprintf("%d articles were asked for within a minute", MinuteLimit)
	case DailyLimit:
		return "the site's daily limit of articles is reached"
	case InsufficientCredits:
		return "the account has no credits left"
	default:
		return "the account's ledger is busy"
	}
}

// ErrUnavailable is in the chain of every error that means that the API server did not do its part: whether the change
// was made is not known.
var ErrUnavailable = errors.New("the ledger cannot be reached")
