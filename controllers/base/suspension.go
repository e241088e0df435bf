package base

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Suspension returns the suspension that forbids generating and sending for a site of a workspace, or nil.
func (b *Base) Suspension(ctx context.Context, site *v1alpha1.Site) (*lifecycle.BlockedError, error) {
	name, err := b.Account(ctx, site.Namespace)
	if err != nil || name == "" {
		return lifecycle.Suspension(site, nil, b.Suspend), err
	}
	account := &v1alpha1.Account{}
	err = b.Client.Get(ctx, types.NamespacedName{Name: name}, account, client.UnsafeDisableDeepCopy)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading the account: %w", err)
	}
	return lifecycle.Suspension(site, account, b.Suspend), nil
}
