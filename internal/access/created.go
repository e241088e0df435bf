// Package access makes API keys, and finds the API keys, OAuth clients and event subscriptions that an API key or a member has created over
// the REST API. What was created with an API key is deleted with it.
package access

import (
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Objects are those that an API key or a member has created, and those that the keys among them have created in turn.
type Objects struct {
	Keys          []v1alpha1.APIKey
	Clients       []v1alpha1.OAuthClient
	Subscriptions []v1alpha1.EventSubscription
}

// All returns the objects in one list.
func (c Objects) All() []client.Object {
	all := make([]client.Object, 0, len(c.Keys)+len(c.Clients)+len(c.Subscriptions))
	for i := range c.Keys {
		all = append(all, &c.Keys[i])
	}
	for i := range c.Clients {
		all = append(all, &c.Clients[i])
	}
	for i := range c.Subscriptions {
		all = append(all, &c.Subscriptions[i])
	}
	return all
}

// CreatedBy returns the objects that an API key or a member has created in an account with these workspaces. kube-apiserver selects them.
func CreatedBy(
	ctx context.Context, store client.Reader, account string, workspaces []string, creator v1alpha1.CreatorReference,
) (all Objects, err error) {
	creators := []v1alpha1.CreatorReference{creator}
	for i := 0; i < len(creators); i++ {
		found, err := createdDirectlyBy(ctx, store, account, workspaces, creators[i])
		if err != nil {
			return Objects{}, err
		}
		all.Clients, all.Subscriptions = append(all.Clients, found.Clients...), append(all.Subscriptions, found.Subscriptions...)
		for _, key := range found.Keys {
			next := v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: key.Name}
			if !slices.Contains(creators, next) {
				all.Keys, creators = append(all.Keys, key), append(creators, next)
			}
		}
	}
	return all, nil
}

func createdDirectlyBy(
	ctx context.Context, store client.Reader, account string, workspaces []string, creator v1alpha1.CreatorReference,
) (Objects, error) {
	var (
		keys          v1alpha1.APIKeyList
		clients       v1alpha1.OAuthClientList
		subscriptions v1alpha1.EventSubscriptionList
	)
	for _, list := range []client.ObjectList{&keys, &clients, &subscriptions} {
		if err := store.List(ctx, list, client.MatchingFields{"spec.createdByRef.name": creator.Name}); err != nil {
			return Objects{}, fmt.Errorf("listing what %s has created: %w", creator.Name, err)
		}
	}
	return Objects{
		Keys: slices.DeleteFunc(keys.Items, func(k v1alpha1.APIKey) bool {
			return *k.Spec.CreatedByRef != creator || k.Spec.AccountRef.Name != account
		}),
		Clients: slices.DeleteFunc(clients.Items, func(c v1alpha1.OAuthClient) bool {
			return *c.Spec.CreatedByRef != creator || c.Spec.AccountRef == nil || c.Spec.AccountRef.Name != account
		}),
		Subscriptions: slices.DeleteFunc(subscriptions.Items, func(s v1alpha1.EventSubscription) bool {
			return *s.Spec.CreatedByRef != creator || !slices.Contains(workspaces, s.Namespace)
		}),
	}, nil
}
