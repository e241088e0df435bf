// Package fence keeps a process that was held up from sending what another process may have replaced. A process is held up if it is
// stopped, for example by SIGSTOP or together with its virtual machine: its lease ends 15 seconds after it was renewed, another process
// takes over, and what the first one was about to send may not be wanted any more when it goes on.
package fence

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/egress"
)

// MaxPause is the longest time between the later of two times, the last renewal of the lease and the write of an attempt to status, and
// the beginning of a request of the attempt. The other process waits for 15 seconds.
const MaxPause = 10 * time.Second

// ErrHeldUp is the error of a request that was refused.
var ErrHeldUp = errors.New("the controller was held up, and another one may have replaced it")

// Attempt has the state that the requests of one attempt share.
type Attempt struct {
	written time.Time

	mu sync.Mutex
	// inTime and late say whether the first request began in time; neither means that there was none. sent means that a request was sent
	// that may have written something, refused that one was refused.
	inTime, late, sent, refused bool
}

type attemptKey struct{}

type readOnlyKey struct{}

// Begun returns a context for the requests of an attempt. written is when the process began to write the attempt to status.
func Begun(ctx context.Context, written time.Time) (context.Context, *Attempt) {
	a := &Attempt{written: written}
	return context.WithValue(ctx, attemptKey{}, a), a
}

// ReadOnly returns a context for requests that only read, whatever their method is, such as GraphQL queries.
func ReadOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, readOnlyKey{}, true)
}

// Refused reports whether a request of the attempt was refused.
func (a *Attempt) Refused() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refused
}

// Sent reports whether a request of the attempt was sent that may have written something.
func (a *Attempt) Sent() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sent
}

// Transport refuses each request that may write something, and would begin more than MaxPause after the lease was last renewed and the
// attempt was written. After that it refuses all requests of the attempt that may write something.
type Transport struct {
	Next http.RoundTripper
	// Renewed returns when the lease was last renewed. It is nil without leader election, and then the first request of an attempt is
	// measured alone: an attempt may take longer than MaxPause.
	Renewed func() time.Time
	Clock   clock.PassiveClock
}

// RoundTrip implements http.RoundTripper. Next is the transport of a client of package egress, which says when it has connected.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	a, _ := r.Context().Value(attemptKey{}).(*Attempt)
	if a == nil {
		a = &Attempt{}
	}
	if readsOnly(r) {
		t.noteRead(a)
		return t.Next.RoundTrip(r)
	}
	pending := &request{transport: t, attempt: a}
	if err := pending.begin(); err != nil {
		if r.Body != nil {
			err = errors.Join(err, r.Body.Close())
		}
		return nil, err
	}
	return t.Next.RoundTrip(r.WithContext(egress.WhenConnected(r.Context(), pending.connected)))
}

func readsOnly(r *http.Request) bool {
	switch r.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	default:
		marked, _ := r.Context().Value(readOnlyKey{}).(bool)
		return marked
	}
}

// noteRead notes a request that only reads. It is never refused.
func (t *Transport) noteRead(a *Attempt) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.inTime && !a.late && !a.written.IsZero() {
		a.late = t.isLate(a.written)
		a.inTime = !a.late
	}
}

// isLate compares times of day, because the monotonic clock stops with a virtual machine.
func (t *Transport) isLate(last time.Time) bool {
	return t.Clock.Now().Round(0).Sub(last.Round(0)) > MaxPause
}

// request is a request that may write something.
type request struct {
	transport *Transport
	attempt   *Attempt
	// inTime and sent are those of the attempt before the request.
	inTime, sent bool
}

// begin notes the request as sent, or refuses it.
func (r *request) begin() error {
	a := r.attempt
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.refused() {
		return ErrHeldUp
	}
	r.inTime, r.sent = a.inTime, a.sent
	a.inTime, a.sent = true, true
	return nil
}

// connected measures the request again, because it takes time to look a name up and to connect. Nothing has been sent yet.
func (r *request) connected() error {
	a := r.attempt
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inTime = r.inTime
	if r.refused() {
		a.sent = r.sent
		return ErrHeldUp
	}
	a.inTime = true
	return nil
}

// refused reports whether the request is refused. It is called with the lock of the attempt held.
func (r *request) refused() bool {
	t, a := r.transport, r.attempt
	switch {
	case t.Renewed != nil:
		last := a.written
		if renewed := t.Renewed(); renewed.After(last) {
			last = renewed
		}
		a.refused = a.refused || t.isLate(last)
	case !a.inTime && !a.written.IsZero():
		a.refused = a.refused || a.late || t.isLate(a.written)
	}
	return a.refused
}
