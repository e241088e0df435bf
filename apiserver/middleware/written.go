package middleware

import (
	"time"

	"k8s.io/utils/clock"
)

// MinutesAtOnce is how many minutes' bytes an account may write at once.
const MinutesAtOnce = 2

// minuteParts is into how many parts the bytes are divided that an account may write in a minute.
const minuteParts = 1_000_000

// Written counts the bytes that accounts write through this replica. Its methods may be called from any goroutine.
type Written struct{ parts *Throttle }

// NewWritten returns a Written of which nothing is used.
func NewWritten(c clock.PassiveClock) *Written {
	return &Written{NewThrottle(c, minuteParts/time.Minute.Seconds(), MinutesAtOnce*minuteParts)}
}

// Take counts bytes that an account is about to write, of so many in a minute. It returns how long the account must wait; 0 if it need not.
func (w *Written) Take(account string, bytes, perMinute int64) time.Duration {
	return w.parts.TakeN(account, partsOf(bytes, perMinute))
}

// Owe counts bytes that must be written even if the account has used up its own: it waits longer for what comes next.
func (w *Written) Owe(account string, bytes, perMinute int64) {
	w.parts.OweN(account, partsOf(bytes, perMinute))
}

func partsOf(bytes, perMinute int64) int64 { return 1 + bytes*minuteParts/perMinute }
