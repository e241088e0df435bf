package oauth

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// usedEvery is the shortest time between two writes for one grant.
	usedEvery = time.Hour
	// usedWaiting bounds the grants that wait to be written. Beyond that, a grant is written after a later request.
	usedWaiting = 1024
	// usedRemembered bounds the grants that are remembered as written until the cache shows it.
	usedRemembered = 100_000
)

// LastUsed records when tokens were last used, outside the requests.
type LastUsed struct {
	store   Store
	waiting chan *v1alpha1.OAuthGrant
	written *utilcache.LRUExpireCache
	log     logr.Logger
}

// NewLastUsed returns a LastUsed. Run must be called for anything to be written.
func NewLastUsed(s Store, log logr.Logger) *LastUsed {
	return &LastUsed{
		store: s, waiting: make(chan *v1alpha1.OAuthGrant, usedWaiting), log: log,
		written: utilcache.NewLRUExpireCacheWithClock(usedRemembered, s.Clock),
	}
}

// Touch queues a grant whose token was used. It never blocks.
func (l *LastUsed) Touch(grant *v1alpha1.OAuthGrant) {
	at := grant.Status.LastUseTime
	if at != nil && l.store.Clock.Now().Sub(at.Time) < usedEvery {
		return
	}
	if _, known := l.written.Get(grant.UID); known {
		return
	}
	select {
	case l.waiting <- grant:
		l.written.Add(grant.UID, true, usedEvery)
	default:
	}
}

// Run writes until ctx ends.
func (l *LastUsed) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case grant := <-l.waiting:
			l.write(ctx, grant)
		}
	}
}

// write patches the grant under its resourceVersion: if that conflicts, another replica was faster.
func (l *LastUsed) write(ctx context.Context, grant *v1alpha1.OAuthGrant) {
	used := grant.DeepCopy()
	used.Status.LastUseTime = new(v1alpha1.NewMicroTime(l.store.Clock.Now()))
	err := l.store.Client.Status().Patch(ctx, used, client.MergeFromWithOptions(grant, client.MergeFromWithOptimisticLock{}))
	switch {
	case err == nil, apierrors.IsNotFound(err):
	case apierrors.IsConflict(err):
		// The conflicting write may have been about something else, so the next request tries again.
		l.written.Remove(grant.UID)
	default:
		l.written.Remove(grant.UID)
		l.log.V(1).Info("noting the use of a token failed", "grant", grant.Name, "error", err.Error())
	}
}
