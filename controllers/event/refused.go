package event

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// refusalOf returns the blocker of a delivery that kube-apiserver refuses; nil if that is not why it was not created.
func refusalOf(b *base.Base, d *v1alpha1.EventDelivery, err error) *lifecycle.BlockedError {
	if !base.IsRefused(err) {
		return nil
	}
	// Without the name of the delivery, the message stays the same, and the condition is written once.
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonEventRefused, RetryAfter: b.RefusedWait(),
		Message: "EventDeliveries are refused: " + strings.ReplaceAll(base.RefusalOf(err), fmt.Sprintf(" %q", d.Name), ""),
	}
}

// setDispatching sets the condition Dispatching of a subscription in memory. refusal is nil if deliveries are created.
func setDispatching(b *base.Base, s *v1alpha1.EventSubscription, refusal *lifecycle.BlockedError) {
	if refusal == nil {
		meta.RemoveStatusCondition(&s.Status.Conditions, v1alpha1.ConditionDispatching)
		return
	}
	set := conditions.Setter{Conditions: &s.Status.Conditions, Generation: s.Generation, Now: b.Clock.Now()}
	set.Set(v1alpha1.ConditionDispatching, refusal.Condition())
}

// refused reports whether status says that kube-apiserver refuses the deliveries of a subscription.
func refused(s *v1alpha1.EventSubscription) bool {
	return meta.IsStatusConditionFalse(s.Status.Conditions, v1alpha1.ConditionDispatching)
}

// recordDispatching writes the condition Dispatching of a subscription that was read from the cache.
func recordDispatching(
	ctx context.Context, b *base.Base, cached *v1alpha1.EventSubscription, refusal *lifecycle.BlockedError,
) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		s, err := base.Read[v1alpha1.EventSubscription](ctx, b.Live, client.ObjectKeyFromObject(cached))
		if s == nil || s.UID != cached.UID || err != nil {
			return err
		}
		stored := s.DeepCopy()
		setDispatching(b, s, refusal)
		return b.WriteStatus(ctx, stored, s)
	})
}
