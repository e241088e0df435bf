package ledger

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// fieldOwner is the name under which the ledger is written.
	fieldOwner = "pressroom-ledger"
	// conflictTries is how often a batch is tried when others write to the account at the same time. Whenever one is
	// refused another one was made, so that with a few replicas even ten tries are rare.
	conflictTries = 50
)

// make makes the changes of a batch in one compare-and-swap, and leaves each request its answer. An error is everybody's.
func (c *Charger) make(ctx context.Context, account string, batch []*request) error {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	for range conflictTries {
		err := c.try(ctx, account, batch)
		if err == nil {
			return nil
		}
		if !apierrors.IsConflict(err) {
			return unavailable(account, err)
		}
	}
	return &LimitError{Code: Busy, RetryAfter: busyRetry}
}

// try makes the changes on what the API server has now. Refusals are answers too, and as sure: either nothing was written
// because nothing changed, or the write proved that what was read still held.
func (c *Charger) try(ctx context.Context, name string, batch []*request) error {
	account := &v1alpha1.Account{}
	if err := c.client.Get(ctx, client.ObjectKey{Name: name}, account); err != nil {
		return err
	}
	old := account.DeepCopy()
	now := c.clock.Now()
	for _, r := range batch {
		r.answer = r.change(account, now)
	}
	if equality.Semantic.DeepEqual(old.Status.Usage, account.Status.Usage) {
		return nil
	}
	// A patch of the usage alone: conditions are the controller's, and fields that this version does not know stay.
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	return c.client.Status().Patch(ctx, account, patch, client.FieldOwner(fieldOwner))
}

func unavailable(account string, err error) error {
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("charging account %s: %w", account, err)
	}
	return fmt.Errorf("charging account %s: %w: %w", account, ErrUnavailable, err)
}
