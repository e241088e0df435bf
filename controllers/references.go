package controllers

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Indexes of the cache: keys, clients and grants by the objects that they refer to.
const (
	accountIndex = "accountRef"
	clientIndex  = "clientRef"
)

// IndexReferences creates the indexes that the watches use to find keys, clients and grants.
func IndexReferences(ctx context.Context, indexer client.FieldIndexer) error {
	for _, i := range []struct {
		obj   client.Object
		field string
		name  func(client.Object) string
	}{
		{&v1alpha1.APIKey{}, accountIndex, accountOf},
		{&v1alpha1.OAuthClient{}, accountIndex, accountOf},
		{&v1alpha1.OAuthGrant{}, accountIndex, accountOf},
		{&v1alpha1.OAuthGrant{}, clientIndex, clientOf},
	} {
		err := indexer.IndexField(ctx, i.obj, i.field, func(o client.Object) []string { return []string{i.name(o)} })
		if err != nil {
			return fmt.Errorf("indexing %T by %s: %w", i.obj, i.field, err)
		}
	}
	return nil
}

// accountOf returns the name of the account that a key, a client or a grant belongs to, or "" if it belongs to none.
func accountOf(o client.Object) string {
	switch o := o.(type) {
	case *v1alpha1.APIKey:
		return o.Spec.AccountRef.Name
	case *v1alpha1.OAuthGrant:
		return o.Spec.AccountRef.Name
	case *v1alpha1.OAuthClient:
		if o.Spec.AccountRef != nil {
			return o.Spec.AccountRef.Name
		}
	}
	return ""
}

// clientOf returns the name of the client that a grant was given to.
func clientOf(o client.Object) string {
	if grant, ok := o.(*v1alpha1.OAuthGrant); ok {
		return grant.Spec.ClientRef.Name
	}
	return ""
}

// referrers maps an object to the objects of the list's kind that refer to it by the indexed field. An object in a namespace is
// referred to from that namespace only.
func (b *Base) referrers(list client.ObjectList, index string) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, to client.Object) []ctrl.Request {
		found, ok := list.DeepCopyObject().(client.ObjectList)
		if !ok {
			return nil
		}
		return b.requests(ctx, found, client.InNamespace(to.GetNamespace()), client.MatchingFields{index: to.GetName()})
	})
}

// createdOrDeleted drops updates: an Account's ledger changes with every article.
var createdOrDeleted = predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return false }}

// accountMissing reports whether no account has this name.
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

// accountNotFound is the condition of an object whose account does not exist.
func accountNotFound(name string) metav1.Condition {
	return readyCondition(false, v1alpha1.ReasonAccountNotFound, fmt.Sprintf("the Account %q does not exist", name))
}
