package controllers

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// accountMissing reports whether there is no account of this name.
func (b *Base) accountMissing(ctx context.Context, name string) (bool, error) {
	err := b.Client.Get(ctx, types.NamespacedName{Name: name}, &v1alpha1.Account{})
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the account: %w", err)
	}
	return false, nil
}

func accountNotFound(name string) metav1.Condition {
	return readyCondition(false, v1alpha1.ReasonAccountNotFound, fmt.Sprintf("the Account %q does not exist", name))
}

// referrers maps an object to those of the list's kind that refer to it. T is the type of the list's items, as a pointer.
func referrers[T client.Object](b *Base, list client.ObjectList, refers func(from T, to client.Object) bool) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, to client.Object) []ctrl.Request {
		found, ok := list.DeepCopyObject().(client.ObjectList)
		if !ok {
			return nil
		}
		if err := b.Client.List(ctx, found, client.UnsafeDisableDeepCopy); err != nil {
			log.FromContext(ctx).Error(err, "listing what refers to an object", "object", to.GetName())
			return nil
		}
		var requests []ctrl.Request
		_ = meta.EachListItem(found, func(item runtime.Object) error {
			if from, ok := item.(T); ok && refers(from, to) {
				requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(from)})
			}
			return nil
		})
		return requests
	})
}

// comingAndGoing lets nothing through of what changes in an object: an Account's ledger changes with every article.
var comingAndGoing = predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return false }}
