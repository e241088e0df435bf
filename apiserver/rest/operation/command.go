package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Command is what a request asks for that creates no object of its own, such as a delivery or a test. Under an Idempotency-Key it is done
// once: a repeat is answered, and nothing is charged or sent again.
type Command[O any] struct {
	// Operation, and what the request says of it. A request with the same key that differs in either is refused.
	Operation string
	About     any
	// Do does it. The nonce is the same for the same key, because a process may end before a command is recorded: anyone who acts on a
	// nonce does so once.
	Do func(ctx context.Context, nonce string) (*O, error)
	// Again answers a repeat, where the first answer is too large to be kept. It may be nil.
	Again func(ctx context.Context) (*O, error)
	// Keep returns what is kept of an answer, without what Restore can make again; nil if nothing was done, so that a repeat tries again.
	// Both are nil if an answer is kept as it is.
	Keep    func(*O) any
	Restore func(kept []byte) (*O, error)
}

// Run does the command of a call. The namespace has the record of its key.
func (x Command[O]) Run(ctx context.Context, c *Call, in Idempotent, namespace string) (*O, error) {
	request, err := in.Request(namespace, x.Operation, x.About)
	if err != nil {
		return nil, err
	}
	if request.Hash == "" {
		return x.Do(ctx, request.Name)
	}
	r, err := x.begin(ctx, c, namespace, request)
	if err != nil {
		return nil, err
	}
	if r.Completed() {
		c.Replayed()
		return x.repeat(ctx, r)
	}
	// Nothing that can fail stands between what is done and its record.
	limits, err := c.Core.AccountLimits(ctx, c)
	if err != nil {
		r.Abandon(ctx, err)
		return nil, err
	}
	out, err := x.Do(ctx, request.Name)
	if err != nil {
		r.Abandon(ctx, err)
		return nil, err
	}
	kept, err := x.keep(c, limits, r, out)
	if err != nil {
		return nil, err
	}
	if !kept {
		r.Abandon(ctx, errNothingDone)
		return out, nil
	}
	_, err = r.Complete(ctx, types.UID(request.Name))
	return out, err
}

// errNothingDone is the reason that a record is abandoned whose answer need not be kept.
var errNothingDone = errors.New("nothing was done")

// keep adds to a record what is kept of an answer, and counts it. It reports whether the record must be completed.
func (x Command[O]) keep(c *Call, limits v1alpha1.AccountLimits, r *Record, out *O) (bool, error) {
	if x.Again != nil {
		return true, nil
	}
	kept := any(out)
	if x.Keep != nil {
		kept = x.Keep(out)
	}
	if kept == nil {
		return false, nil
	}
	answer, err := json.Marshal(kept)
	if err != nil {
		return false, fmt.Errorf("keeping an answer: %w", err)
	}
	r.answer = string(answer)
	c.countAnswer(limits, r.answer)
	return true, nil
}

// begin begins the record of a request, or returns the one of its key. A repeat needs no room for another one.
func (x Command[O]) begin(ctx context.Context, c *Call, namespace string, request Request) (*Record, error) {
	place, reached := c.RoomForRecord(ctx, request)
	if reached != nil {
		r, err := c.Core.FindRecord(ctx, namespace, request)
		if r == nil && err == nil {
			err = reached
		}
		return r, err
	}
	r, err := c.Core.BeginRecord(ctx, namespace, request)
	if err == nil && r.begun {
		r.place = place
	} else {
		place.Release()
	}
	return r, err
}

// repeat answers a request whose command was done before.
func (x Command[O]) repeat(ctx context.Context, r *Record) (*O, error) {
	if x.Again != nil {
		return x.Again(ctx)
	}
	if x.Restore != nil {
		return x.Restore([]byte(r.Stored.Spec.Answer))
	}
	out := new(O)
	if err := json.Unmarshal([]byte(r.Stored.Spec.Answer), out); err != nil {
		return nil, fmt.Errorf("reading an answer that was kept: %w", err)
	}
	return out, nil
}
