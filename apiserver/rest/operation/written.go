package operation

import (
	"context"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

const (
	// ObjectBytes is about the size of an object without a text, in bytes: a request writes one, and what follows from it.
	ObjectBytes = 4 << 10
	// minuteParts is into how many parts the bytes are divided that an account may write in a minute, and minutesAtOnce is how many
	// minutes' bytes it may write at once.
	minuteParts   = 1_000_000
	minutesAtOnce = 2
)

// TakeBytes counts bytes that a request is about to write. It returns a problem if the account has written too many in the last minutes:
// etcd keeps each state of an object for a while.
func (c *Call) TakeBytes(ctx context.Context, n int64) error {
	limits, err := c.Core.AccountLimits(ctx, c)
	if err != nil {
		return err
	}
	if wait := c.Core.written.TakeN(c.Principal.Account, 1+n*minuteParts/limits.MostWrittenBytesPerMinute()); wait > 0 {
		most := problem.WrittenBytes(minutesAtOnce*limits.MostWrittenBytesPerMinute(), minutesAtOnce*time.Minute)
		return most.Reached("the account has written too many bytes in the last minutes", wait)
	}
	return nil
}

// QuotaForRecord returns a problem if the account may not have another Idempotency-Key remembered, as the controller has counted them.
func (c *Call) QuotaForRecord(ctx context.Context, r Request) error {
	if r.Hash == "" {
		return nil
	}
	account, err := c.Core.Account(ctx, c)
	if err != nil {
		return err
	}
	if most := account.Spec.Limits.MostIdempotencyRecords(); account.Status.Objects.IdempotencyRecords >= most {
		return problem.LimitReached("idempotencyRecords", "Idempotency-Keys in 24 hours", most)
	}
	return nil
}
