package access

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/grant"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// Indexes of the cache: keys, clients and grants by the objects that they refer to.
const (
	accountIndex = "accountRef"
	clientIndex  = "clientRef"
	keyIndex     = "apiKey"
	makerIndex   = "createdByRef"
)

// Index creates the indexes that the watches use to find keys, clients and grants.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	return errors.Join(
		index(ctx, indexer, accountIndex, func(k *v1alpha1.APIKey) string { return k.Spec.AccountRef.Name }),
		index(ctx, indexer, accountIndex, func(c *v1alpha1.OAuthClient) string {
			return ptr.Deref(c.Spec.AccountRef, v1alpha1.AccountReference{}).Name
		}),
		index(ctx, indexer, accountIndex, func(g *v1alpha1.OAuthGrant) string { return g.Spec.AccountRef.Name }),
		index(ctx, indexer, clientIndex, func(g *v1alpha1.OAuthGrant) string { return g.Spec.ClientRef.Name }),
		index(ctx, indexer, keyIndex, func(g *v1alpha1.OAuthGrant) string {
			if id, byKey := grant.KeyOf(g.Spec.Person); byKey {
				return id
			}
			return "" // A member gave it.
		}),
		index(ctx, indexer, grantIndex, grantOf),
		index(ctx, indexer, makerIndex, func(k *v1alpha1.APIKey) string { return k.Spec.CreatedByRef.APIKey() }),
		index(ctx, indexer, makerIndex, func(c *v1alpha1.OAuthClient) string { return c.Spec.CreatedByRef.APIKey() }),
		index(ctx, indexer, makerIndex, func(s *v1alpha1.EventSubscription) string { return s.Spec.CreatedByRef.APIKey() }),
	)
}

// index indexes the objects of a kind by the name of another one.
func index[T any, P base.Object[T]](ctx context.Context, indexer client.FieldIndexer, field string, name func(P) string) error {
	return base.Index(ctx, indexer, field, func(o P) []string { return []string{name(o)} })
}

// referrers maps an object to the objects of the list's kind that refer to it by the indexed field.
func referrers(b *base.Base, list client.ObjectList, index string) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, to client.Object) []ctrl.Request {
		found, ok := list.DeepCopyObject().(client.ObjectList)
		if !ok {
			return nil
		}
		return b.Requests(ctx, found, client.MatchingFields{index: to.GetName()})
	})
}

// boundAccount returns the account that an object refers to; nil if it does not exist, or is another one than when the object was first
// seen. It sets the uid of the account in the object's status, for the caller to save. The uid comes from kube-apiserver: if both were
// deleted and created again, the cache may have the new object and still the old account.
func boundAccount(ctx context.Context, b *base.Base, name string, uid *string) (*v1alpha1.Account, error) {
	from := client.Reader(b.Client)
	if *uid == "" {
		from = b.Live
	}
	account, err := base.Read[v1alpha1.Account](ctx, from, types.NamespacedName{Name: name})
	if account == nil || err != nil {
		return nil, err
	}
	if *uid == "" {
		*uid = string(account.UID)
	}
	if *uid != string(account.UID) {
		return nil, nil
	}
	return account, nil
}

// accountNotFound is the condition of an object whose account does not exist.
func accountNotFound(name string) metav1.Condition {
	message := fmt.Sprintf("the Account %q does not exist, or is another one that was made later", name)
	return conditions.False(v1alpha1.ReasonAccountNotFound, message)
}

// grantIndex is the cache's index of subscriptions by the grant that they were created with.
const grantIndex = "oauthGrant"

// grantOf returns the name of the grant that a subscription was created with, or "".
func grantOf(s *v1alpha1.EventSubscription) string { return s.Labels[v1alpha1.GrantLabel] }

// API keys, OAuth clients and event subscriptions that were made with an API key fall with it: who had the key must keep nothing that
// they made with it. The end of one key ends the keys that it has made, and so on.

// The policy of credentials asks the user who deletes one for the verb use on its account.
// +kubebuilder:rbac:groups=pressroom.dev,resources=apikeys;oauthclients,verbs=delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=use

// fall deletes an object if the API key that it was made with, if any, is gone, and reports whether the key is.
func fall(ctx context.Context, b *base.Base, o client.Object, maker string) (bool, error) {
	if maker == "" {
		return false, nil
	}
	exists := func(key *v1alpha1.APIKey) bool { return key.DeletionTimestamp.IsZero() }
	if key, err := find(ctx, b, maker, exists); key != nil || err != nil {
		return false, err
	}
	return true, remove(ctx, b, o)
}

// remove deletes an object whose maker has no access any more, unless it was deleted and created again since it was read.
func remove(ctx context.Context, b *base.Base, o client.Object) error {
	uid := o.GetUID()
	err := b.Client.Delete(ctx, o, client.Preconditions{UID: &uid})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return fmt.Errorf("deleting what was made by who has no access any more: %w", err)
	}
	return nil
}

// find returns the object of a name if it exists and a condition holds for it, and otherwise nil. The cache may have what refers to the
// object before it has the object, so find also asks kube-apiserver.
func find[T any, P base.Object[T]](ctx context.Context, b *base.Base, name string, holds func(P) bool) (P, error) {
	for _, from := range []client.Reader{b.Client, b.Live} {
		if o, err := base.Read[T, P](ctx, from, client.ObjectKey{Name: name}); err != nil || o != nil && holds(o) {
			return o, err
		}
	}
	return nil, nil
}
