// Package made finds what somebody has made over the REST API: API keys, OAuth clients and event subscriptions. What was made with an API
// key falls with it.
package made

import (
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Made is what somebody has made, and what the keys among it have made in turn.
type Made struct {
	Keys          []v1alpha1.APIKey
	Clients       []v1alpha1.OAuthClient
	Subscriptions []v1alpha1.EventSubscription
}

// Objects are all that was made.
func (m Made) Objects() []client.Object {
	all := make([]client.Object, 0, len(m.Keys)+len(m.Clients)+len(m.Subscriptions))
	for i := range m.Keys {
		all = append(all, &m.Keys[i])
	}
	for i := range m.Clients {
		all = append(all, &m.Clients[i])
	}
	for i := range m.Subscriptions {
		all = append(all, &m.Subscriptions[i])
	}
	return all
}

// By returns what an API key or a member has made in an account, whose workspaces these are. kube-apiserver selects it.
func By(
	ctx context.Context, store client.Reader, account string, workspaces []string, maker v1alpha1.CreatorReference,
) (all Made, err error) {
	makers := []v1alpha1.CreatorReference{maker}
	for i := 0; i < len(makers); i++ {
		found, err := directlyBy(ctx, store, account, workspaces, makers[i])
		if err != nil {
			return Made{}, err
		}
		all.Clients, all.Subscriptions = append(all.Clients, found.Clients...), append(all.Subscriptions, found.Subscriptions...)
		for _, key := range found.Keys {
			next := v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: key.Name}
			if !slices.Contains(makers, next) {
				all.Keys, makers = append(all.Keys, key), append(makers, next)
			}
		}
	}
	return all, nil
}

func directlyBy(
	ctx context.Context, store client.Reader, account string, workspaces []string, maker v1alpha1.CreatorReference,
) (Made, error) {
	var (
		keys          v1alpha1.APIKeyList
		clients       v1alpha1.OAuthClientList
		subscriptions v1alpha1.EventSubscriptionList
	)
	for _, list := range []client.ObjectList{&keys, &clients, &subscriptions} {
		if err := store.List(ctx, list, client.MatchingFields{"spec.createdByRef.name": maker.Name}); err != nil {
			return Made{}, fmt.Errorf("listing what %s has made: %w", maker.Name, err)
		}
	}
	return Made{
		Keys: slices.DeleteFunc(keys.Items, func(k v1alpha1.APIKey) bool {
			return *k.Spec.CreatedByRef != maker || k.Spec.AccountRef.Name != account
		}),
		Clients: slices.DeleteFunc(clients.Items, func(c v1alpha1.OAuthClient) bool {
			return *c.Spec.CreatedByRef != maker || c.Spec.AccountRef == nil || c.Spec.AccountRef.Name != account
		}),
		Subscriptions: slices.DeleteFunc(subscriptions.Items, func(s v1alpha1.EventSubscription) bool {
			return *s.Spec.CreatedByRef != maker || !slices.Contains(workspaces, s.Namespace)
		}),
	}, nil
}
