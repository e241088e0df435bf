package access

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
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
	for _, i := range []struct {
		obj   client.Object
		field string
		name  func(client.Object) string
	}{
		{&v1alpha1.APIKey{}, accountIndex, accountOf},
		{&v1alpha1.OAuthClient{}, accountIndex, accountOf},
		{&v1alpha1.OAuthGrant{}, accountIndex, accountOf},
		{&v1alpha1.OAuthGrant{}, clientIndex, clientOf},
		{&v1alpha1.OAuthGrant{}, keyIndex, keyOf},
		{&v1alpha1.EventSubscription{}, grantIndex, grantOf},
		{&v1alpha1.APIKey{}, makerIndex, makerOf},
		{&v1alpha1.OAuthClient{}, makerIndex, makerOf},
		{&v1alpha1.EventSubscription{}, makerIndex, makerOf},
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

func clientOf(o client.Object) string {
	if grant, ok := o.(*v1alpha1.OAuthGrant); ok {
		return grant.Spec.ClientRef.Name
	}
	return ""
}

// keyOf returns the name of the API key that a grant was given with, or "" if a member gave it.
func keyOf(o client.Object) string {
	if g, ok := o.(*v1alpha1.OAuthGrant); ok {
		if id, byKey := grant.KeyOf(g.Spec.Person); byKey {
			return id
		}
	}
	return ""
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
// seen. It sets the uid of the account in the object's status, for the caller to save.
func boundAccount(ctx context.Context, cache client.Reader, name string, uid *string) (*v1alpha1.Account, error) {
	account, err := base.Read[v1alpha1.Account](ctx, cache, types.NamespacedName{Name: name})
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
func grantOf(o client.Object) string { return o.GetLabels()[v1alpha1.GrantLabel] }

// API keys, OAuth clients and event subscriptions that were made with an API key fall with it: who had the key must keep nothing that
// they made with it. The end of one key ends the keys that it has made, and so on.

// The policy of credentials asks the user who deletes one for the verb use on its account.
// +kubebuilder:rbac:groups=pressroom.dev,resources=apikeys;oauthclients,verbs=delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=use

// makerOf returns the name of the API key that an object was made with, or "".
func makerOf(o client.Object) string {
	switch o := o.(type) {
	case *v1alpha1.APIKey:
		return o.Spec.CreatedByRef.APIKey()
	case *v1alpha1.OAuthClient:
		return o.Spec.CreatedByRef.APIKey()
	case *v1alpha1.EventSubscription:
		return o.Spec.CreatedByRef.APIKey()
	}
	return ""
}

// fall deletes an object if the API key that it was made with is gone, and reports whether it did. The cache may have the object before it
// has the key, so fall also asks kube-apiserver.
func fall(ctx context.Context, b *base.Base, o client.Object) (bool, error) {
	maker := makerOf(o)
	if maker == "" {
		return false, nil
	}
	for _, from := range []client.Reader{b.Client, b.Live} {
		key, err := base.Read[v1alpha1.APIKey](ctx, from, client.ObjectKey{Name: maker})
		if err != nil || key != nil && key.DeletionTimestamp.IsZero() {
			return false, err
		}
	}
	uid := o.GetUID()
	err := b.Client.Delete(ctx, o, client.Preconditions{UID: &uid})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return false, fmt.Errorf("deleting what was made with an API key that is gone: %w", err)
	}
	return true, nil
}
