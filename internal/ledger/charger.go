package ledger

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// batchTimeout bounds the reads and writes of one batch, and so how long anybody waits once theirs is being made.
const batchTimeout = 10 * time.Second

// Charger changes the usage of accounts. Everything that waits for one account is made in one compare-and-swap, so that
// any number of requests cost two calls to the API server at a time; across replicas the resourceVersion keeps it exact.
// It has one goroutine for each account that somebody waits for, and none otherwise.
type Charger struct {
	client client.Client
	clock  clock.Clock

	mu sync.Mutex
	// waiting holds what is not yet in a batch; an account is in it while its goroutine runs.
	waiting map[string][]*request
}

// request is one change that somebody waits for.
type request struct {
	change func(a *v1alpha1.Account, now time.Time) error
	// answer is of the last try, and is sent to done when the batch is over.
	answer error
	done   chan error
}

// NewCharger returns a Charger. Its client must read from the API server and not from a cache: a charge is refused by what
// was read.
func NewCharger(c client.Client, clk clock.Clock) *Charger {
	return &Charger{client: c, clock: clk, waiting: map[string][]*request{}}
}

// Reserve takes a credit for a run (see the function Reserve). It answers with a *LimitError where a limit forbids it,
// with an API error for which apierrors.IsNotFound holds where there is no such account, and else with ErrUnavailable.
//
// A caller whose context ends is answered at once only while nothing has been done for it. Otherwise it gets the outcome,
// within seconds: nil means charged, whatever the context says, and whoever makes no Article then must give it back.
func (c *Charger) Reserve(ctx context.Context, charge Charge) error {
	_, err := c.Charge(ctx, charge)
	return err
}

// Charge is Reserve, and tells whether this call took the credit: it did not where the run was pending already. Two callers
// may charge the same run at once, and only the one that took a credit may give it back.
func (c *Charger) Charge(ctx context.Context, charge Charge) (taken bool, err error) {
	err = c.do(ctx, charge.Account, func(a *v1alpha1.Account, now time.Time) error {
		taken = !Pending(&a.Status.Usage, charge.Run)
		return Reserve(&a.Status.Usage, a.Spec, charge, now)
	})
	return taken && err == nil, err
}

// Apply changes the usage of an account, with the errors of Reserve. change may be called several times, each time with
// what the API server has by then; where it returns an error, what it did is undone and the error is the answer.
func (c *Charger) Apply(ctx context.Context, account string, change func(*v1alpha1.AccountUsage) error) error {
	return c.do(ctx, account, func(a *v1alpha1.Account, _ time.Time) error {
		before := a.Status.Usage.DeepCopy()
		err := change(&a.Status.Usage)
		if err != nil {
			a.Status.Usage = *before
		}
		return err
	})
}

func (c *Charger) do(ctx context.Context, account string, change func(*v1alpha1.Account, time.Time) error) error {
	if err := ctx.Err(); err != nil {
		return gaveUp(err)
	}
	r := &request{change: change, done: make(chan error, 1)}
	c.enqueue(ctx, account, r)
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		if c.withdraw(account, r) {
			return gaveUp(ctx.Err())
		}
		// It is in a batch: it may be written already, and somebody must know.
		return <-r.done
	}
}

func gaveUp(err error) error {
	return fmt.Errorf("waiting for it: %w: %w", ErrUnavailable, err)
}

func (c *Charger) enqueue(ctx context.Context, account string, r *request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, running := c.waiting[account]
	c.waiting[account] = append(before, r)
	if !running {
		// It works for others too, and on after the one who started it has gone.
		go c.work(context.WithoutCancel(ctx), account)
	}
}

// withdraw takes a request back, and reports whether it was in time.
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

// take returns everything that waits for an account, or nothing and forgets the account.
func (c *Charger) take(account string) []*request {
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

// work makes batch after batch until nobody waits for the account.
func (c *Charger) work(ctx context.Context, account string) {
	for batch := c.take(account); len(batch) > 0; batch = c.take(account) {
		err := c.make(ctx, account, batch)
		for _, r := range batch {
			if err != nil {
				r.answer = err
			}
			r.done <- r.answer
		}
	}
}
