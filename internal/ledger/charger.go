package ledger

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// MaxWait bounds how long Reserve and Apply wait.
const MaxWait = time.Second

// Charger changes the ledgers of accounts. All changes that wait for one account are written in one compare-and-swap, so that
// any number of callers cost two requests to kube-apiserver at a time. Across replicas, resourceVersion keeps the ledger
// exact. The Charger runs one goroutine for each account that has waiting changes, and none otherwise.
type Charger struct {
	client client.Client
	clock  clock.Clock

	mu sync.Mutex
	// waiting holds the changes that are not in a batch yet. An account has an entry while its goroutine runs.
	waiting map[string][]*request
}

// request is one change that a caller waits for.
type request struct {
	change changeFunc
	// result is that of the last compare-and-swap. It is sent to done at the end of the batch.
	result error
	done   chan error
}

// changeFunc changes an account's ledger. It runs once for each compare-and-swap.
type changeFunc func(u *v1alpha1.AccountLedgerSpec, now time.Time) error

// NewCharger returns a Charger. The client must read from kube-apiserver and not from a cache: a limit is checked against
// what it reads.
func NewCharger(c client.Client, clk clock.Clock) *Charger {
	return &Charger{client: c, clock: clk, waiting: map[string][]*request{}}
}

// Charge takes a credit for a run of an account with that spec (see the function Reserve). It reports whether this call took the
// credit: it did not if the run was already pending. Two callers may charge one run at the same time, and only the one that took the
// credit may return it. Errors are a *LimitError, and otherwise ErrUnavailable.
//
// If ctx ends while the charge is being written, Charge still waits for the outcome, which takes up to batchTimeout. The
// result is then exact: nil means charged.
func (c *Charger) Charge(ctx context.Context, spec v1alpha1.AccountSpec, charge Charge) (taken bool, err error) {
	inBatch, err := c.submit(ctx, charge.Account, func(u *v1alpha1.AccountLedgerSpec, now time.Time) error {
		taken = !Pending(u, charge)
		return Reserve(u, spec, charge, now)
	}, nil)
	if inBatch != nil {
		err = <-inBatch.done
	}
	return taken && err == nil, err
}

// Reserve is Charge for a caller that tries again, such as a controller. It waits until ctx ends, and at most MaxWait; it then
// returns ErrUnavailable, and a write that has begun goes on. A later call for the same run finds the pending charge and takes
// no second credit.
func (c *Charger) Reserve(ctx context.Context, spec v1alpha1.AccountSpec, charge Charge) error {
	_, err := c.submit(ctx, charge.Account, func(u *v1alpha1.AccountLedgerSpec, now time.Time) error {
		return Reserve(u, spec, charge, now)
	}, c.clock.After(MaxWait))
	return err
}

// Apply changes the ledger of an account, with the errors of Charge. If change returns an error, its changes are undone and
// the error is returned. change may run several times, each time with the latest ledger.
//
// Apply waits as long as Reserve. change may run after Apply has returned: it must not read what the caller goes on to change,
// and it must be safe to apply twice.
func (c *Charger) Apply(ctx context.Context, account string, change func(*v1alpha1.AccountLedgerSpec) error) error {
	_, err := c.submit(ctx, account, undoing(change), c.clock.After(MaxWait))
	return err
}

// Write is Apply for a change that must be made once, and whose outcome the caller must know: it waits until ctx ends. An error that wraps
// ErrNotWritten, or does not wrap ErrUnavailable, means that the change was not made and will not be.
func (c *Charger) Write(ctx context.Context, account string, change func(*v1alpha1.AccountLedgerSpec) error) error {
	_, err := c.submit(ctx, account, undoing(change), nil)
	return err
}

// undoing makes a change that leaves the ledger as it is if it returns an error.
func undoing(change func(*v1alpha1.AccountLedgerSpec) error) changeFunc {
	return func(u *v1alpha1.AccountLedgerSpec, _ time.Time) error {
		before := u.DeepCopy()
		err := change(u)
		if err != nil {
			*u = *before
		}
		return err
	}
}

// submit adds a change to the next batch and waits for its result until ctx ends or timeout fires. If the change is in a batch
// by then, submit also returns the request, whose outcome is not known yet.
func (c *Charger) submit(ctx context.Context, account string, change changeFunc, timeout <-chan time.Time) (inBatch *request, err error) {
	if err := ctx.Err(); err != nil {
		return nil, notWritten(gaveUp(err))
	}
	r := &request{change: change, done: make(chan error, 1)}
	c.enqueue(ctx, account, r)
	select {
	case err := <-r.done:
		return nil, err
	case <-ctx.Done():
		err = gaveUp(ctx.Err())
	case <-timeout:
		err = gaveUp(context.DeadlineExceeded)
	}
	if c.withdraw(account, r) {
		return nil, notWritten(err)
	}
	return r, err
}

func notWritten(err error) error { return fmt.Errorf("%w: %w", ErrNotWritten, err) }

func gaveUp(err error) error {
	return fmt.Errorf("waiting for the ledger: %w: %w", ErrUnavailable, err)
}

func (c *Charger) enqueue(ctx context.Context, account string, r *request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, running := c.waiting[account]
	c.waiting[account] = append(before, r)
	if !running {
		// The goroutine works for other callers too and outlives the one that starts it.
		go c.run(context.WithoutCancel(ctx), account)
	}
}

// withdraw removes a request that is not in a batch yet, and reports whether it did.
func (c *Charger) withdraw(account string, r *request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.waiting[account], r)
	if i < 0 {
		return false
	}
	c.waiting[account] = slices.Delete(c.waiting[account], i, i+1)
	return true
}

// run commits batch after batch until no request waits for the account.
func (c *Charger) run(ctx context.Context, account string) {
	for batch := c.drain(account); len(batch) > 0; batch = c.drain(account) {
		err := c.commit(ctx, account, batch)
		for _, r := range batch {
			if err != nil {
				r.result = err
			}
			r.done <- r.result
		}
	}
}

// drain returns all requests that wait for an account. If there are none, it deletes the account's entry.
func (c *Charger) drain(account string) []*request {
	c.mu.Lock()
	defer c.mu.Unlock()
	batch := c.waiting[account]
	if len(batch) == 0 {
		delete(c.waiting, account)
		return nil
	}
	c.waiting[account] = nil
	return batch
}

const (
	// batchTimeout bounds the reads and writes of one batch.
	batchTimeout = 10 * time.Second
	// fieldOwner is the field manager of the ledger.
	fieldOwner = "pressroom-ledger"
	// conflictTries bounds the compare-and-swaps of one batch. Each conflict means that another replica's batch was written,
	// so that even ten tries are rare with a few replicas.
	conflictTries = 50
)

// commit writes the changes of a batch and sets the result of each request. An error is the result of all of them.
func (c *Charger) commit(ctx context.Context, account string, batch []*request) error {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	for range conflictTries {
		err := c.commitOnce(ctx, account, batch)
		if err == nil {
			return nil
		}
		if !apierrors.IsConflict(err) {
			return unavailable(account, err)
		}
	}
	return &LimitError{Code: Busy, RetryAfter: busyRetry}
}

// commitOnce is one compare-and-swap. A refusal is as exact as a charge: either nothing changed and nothing was written, or the write
// proved that the ledger was the latest.
func (c *Charger) commitOnce(ctx context.Context, name string, batch []*request) error {
	ledger := &v1alpha1.AccountLedger{}
	if err := c.client.Get(ctx, client.ObjectKey{Name: name}, ledger); err != nil {
		return notWritten(err)
	}
	old := ledger.DeepCopy()
	now := c.clock.Now()
	for _, r := range batch {
		r.result = r.change(&ledger.Spec, now)
	}
	if equality.Semantic.DeepEqual(old.Spec, ledger.Spec) {
		return nil
	}
	// A patch, so that fields of later versions stay.
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	err := c.client.Patch(ctx, ledger, patch, client.FieldOwner(fieldOwner))
	if refused(err) {
		return notWritten(err)
	}
	return err
}

// refused reports whether kube-apiserver has answered that it does not make a write. After an answer of 500 or more, it may have made it.
func refused(err error) bool {
	status, ok := errors.AsType[*apierrors.StatusError](err)
	return ok && status.Status().Code >= http.StatusBadRequest && status.Status().Code < http.StatusInternalServerError
}

func unavailable(account string, err error) error {
	withoutCRD := apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
	if apierrors.IsNotFound(err) && !withoutCRD {
		return &LimitError{Code: Missing, RetryAfter: busyRetry}
	}
	return fmt.Errorf("charging account %s: %w: %w", account, ErrUnavailable, err)
}
