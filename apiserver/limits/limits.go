// Package limits reads how much an account may have.
package limits

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// rememberFor is how long a replica uses the limits that it has read.
	rememberFor = 10 * time.Second
	// remembered bounds for how many accounts.
	remembered = 10_000
	// readTimeout bounds one read from kube-apiserver.
	readTimeout = 5 * time.Second
)

// Reader reads the limits of accounts. An Account also has the ledger, which changes with every charge, so no informer holds it: an
// account that creates something is read every 10 seconds. Its methods may be called from any goroutine.
type Reader struct {
	live    client.Reader
	known   *utilcache.LRUExpireCache
	flights singleflight.Group
}

// NewReader returns a Reader. live reads from kube-apiserver.
func NewReader(live client.Reader, c clock.PassiveClock) *Reader {
	return &Reader{live: live, known: utilcache.NewLRUExpireCacheWithClock(remembered, c)}
}

// Of returns the limits of an account.
func (r *Reader) Of(ctx context.Context, account string) (v1alpha1.AccountLimits, error) {
	if found, ok := r.known.Get(account); ok {
		limits, _ := found.(v1alpha1.AccountLimits)
		return limits, nil
	}
	// The request goes on for the others that wait for it if the first caller gives up.
	flight := r.flights.DoChan(account, func() (any, error) { return r.read(context.WithoutCancel(ctx), account) })
	select {
	case <-ctx.Done():
		return v1alpha1.AccountLimits{}, ctx.Err()
	case result := <-flight:
		limits, _ := result.Val.(v1alpha1.AccountLimits)
		return limits, result.Err
	}
}

func (r *Reader) read(ctx context.Context, name string) (v1alpha1.AccountLimits, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	account := &v1alpha1.Account{}
	if err := r.live.Get(ctx, client.ObjectKey{Name: name}, account); err != nil {
		return v1alpha1.AccountLimits{}, fmt.Errorf("reading the limits of the account: %w", err)
	}
	r.known.Add(name, account.Spec.Limits, rememberFor)
	return account.Spec.Limits, nil
}
