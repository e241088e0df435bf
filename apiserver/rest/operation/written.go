package operation

import (
	"context"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// ObjectBytes is about the size of an object without a text, in bytes: a request writes one, and what follows from it.
const ObjectBytes = 4 << 10

// TakeBytes counts bytes that a request is about to write. It returns a problem if the account has written too many in the last minutes:
// etcd keeps each state of an object for a while.
func (c *Call) TakeBytes(ctx context.Context, n int64) error {
	limits, err := c.Core.AccountLimits(ctx, c)
	if err != nil {
		return err
	}
	if wait := c.Core.Written.Take(c.Principal.Account, n, limits.MostWrittenBytesPerMinute()); wait > 0 {
		most := problem.WrittenBytes(middleware.MinutesAtOnce*limits.MostWrittenBytesPerMinute(), middleware.MinutesAtOnce*time.Minute)
		return most.Reached("the account has written too many bytes in the last minutes", wait)
	}
	return nil
}

// countAnswer counts an answer that is kept for repeats: what it is about was done, so it is kept whatever the account has used up.
func (c *Call) countAnswer(limits v1alpha1.AccountLimits, answer string) {
	c.Core.Written.Owe(c.Principal.Account, int64(len(answer)), limits.MostWrittenBytesPerMinute())
	c.Core.records.Add(c.Principal.Account, internalv1alpha1.CountOfAnswer(len(answer)))
}
