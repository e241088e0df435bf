package ledger

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

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
		return err
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
	return c.client.Patch(ctx, ledger, patch, client.FieldOwner(fieldOwner))
}

func unavailable(account string, err error) error {
	if apierrors.IsNotFound(err) {
		return &LimitError{Code: Missing, RetryAfter: busyRetry}
	}
	return fmt.Errorf("charging account %s: %w: %w", account, ErrUnavailable, err)
}
