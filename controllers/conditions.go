package controllers

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func readyCondition(ok bool, reason, message string) metav1.Condition {
	return condition(v1alpha1.ConditionReady, ok, reason, message)
}

func condition(kind string, ok bool, reason, message string) metav1.Condition {
	status := metav1.ConditionFalse
	if ok {
		status = metav1.ConditionTrue
	}
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}

// saveConditions sets conditions and the observed generation in an object's status and writes them where they changed.
// conditions and observed point into obj.
func (b *Base) saveConditions(
	ctx context.Context, obj client.Object, conditions *[]metav1.Condition, observed *int64, set ...metav1.Condition,
) error {
	old, ok := obj.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("%T is not an object", obj)
	}
	was := append([]metav1.Condition(nil), *conditions...)
	wasObserved := *observed
	for _, c := range set {
		b.put(conditions, obj.GetGeneration(), c)
	}
	*observed = obj.GetGeneration()
	if wasObserved == *observed && equality.Semantic.DeepEqual(was, *conditions) {
		return nil
	}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	if err := b.Client.Status().Patch(ctx, obj, patch); err != nil {
		return fmt.Errorf("writing the status: %w", err)
	}
	return nil
}
