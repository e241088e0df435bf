package access

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
)

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
		key := &v1alpha1.APIKey{}
		err := from.Get(ctx, client.ObjectKey{Name: maker}, key)
		if err == nil && key.DeletionTimestamp.IsZero() {
			return false, nil
		}
		if client.IgnoreNotFound(err) != nil {
			return false, fmt.Errorf("reading the API key that made it: %w", err)
		}
	}
	uid := o.GetUID()
	err := b.Client.Delete(ctx, o, client.Preconditions{UID: &uid})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return false, fmt.Errorf("deleting what was made with an API key that is gone: %w", err)
	}
	return true, nil
}

// madeWith maps an API key to the objects of the list's kind that were made with it.
func madeWith(b *base.Base, list client.ObjectList) handler.EventHandler {
	return referrers(b, list, makerIndex)
}
