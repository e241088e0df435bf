package ledger

import (
	"errors"
	"fmt"
	"time"
)

// Code names the limit that refuses a charge.
type Code string

const (
	// RateLimited is the account's 60 calls in any minute.
	RateLimited Code = "RateLimited"
	// DailyLimit is the site's articles of a UTC day.
	DailyLimit Code = "DailyLimit"
	// InsufficientCredits is the account's credits.
	InsufficientCredits Code = "InsufficientCredits"
	// Missing is an account without a ledger: a new one, for a moment, or one that was restored without it.
	Missing Code = "Missing"
	// Busy is a ledger that holds the maximum number of entries, or that other replicas kept writing to.
	Busy Code = "Busy"
)

// LimitError means that a limit refuses a charge. Nothing was charged and nothing was counted.
type LimitError struct {
	Code Code
	// RetryAfter is the time after which the limit may have ended. It is zero if time alone does not end it.
	RetryAfter time.Duration
}

// Error describes the limit.
func (e *LimitError) Error() string {
	switch e.Code {
	case RateLimited:
		return fmt.Sprintf("%d articles were asked for within a minute", MinuteLimit)
	case DailyLimit:
		return "the site's daily limit of articles is reached"
	case InsufficientCredits:
		return "the account has no credits left"
	case Missing:
		return "the account has no ledger"
	default:
		return "the account's ledger is busy"
	}
}

// IgnoreMissing returns nil if the ledger is missing, and otherwise the error: nothing is given back to a ledger that does not exist.
func IgnoreMissing(err error) error {
	if limit, ok := errors.AsType[*LimitError](err); ok && limit.Code == Missing {
		return nil
	}
	return err
}

// ErrUnavailable is wrapped by every error after which it is not known whether the change was made: kube-apiserver failed, or
// the caller gave up.
var ErrUnavailable = errors.New("the ledger cannot be reached")
