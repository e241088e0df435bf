package oauth

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// usedEvery is how often it is written at most that a token is in use.
	usedEvery = time.Hour
	// usedWaiting bounds the grants that wait to be written; more than that wait for their next request.
	usedWaiting = 1024
	// usedRemembered bounds the grants that are known to be written although the cache may not say so yet.
	usedRemembered = 100_000
	// usedTimeout bounds one write.
	usedTimeout = 10 * time.Second
)

// LastUsed writes when tokens were last used, beside the requests.
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

// Touch notes that the token of a grant was used. It never waits.
func (l *LastUsed) Touch(grant *v1alpha1.OAuthGrant) {
	at := grant.Status.LastUsedAt
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

// write counts only against the state that was read: where another replica was faster, it has been written.
func (l *LastUsed) write(ctx context.Context, grant *v1alpha1.OAuthGrant) {
	ctx, cancel := context.WithTimeout(ctx, usedTimeout)
	defer cancel()
	used := grant.DeepCopy()
	used.Status.LastUsedAt = new(metav1.NewMicroTime(l.store.Clock.Now()))
	err := l.store.Client.Status().Patch(ctx, used, client.MergeFromWithOptions(grant, client.MergeFromWithOptimisticLock{}))
	switch {
	case err == nil, apierrors.IsNotFound(err):
	case apierrors.IsConflict(err):
		// Whoever was faster may have written something else: the next request sees.
		l.written.Remove(grant.UID)
	default:
		l.written.Remove(grant.UID)
		l.log.V(1).Info("noting the use of a token failed", "grant", grant.Name, "error", err.Error())
	}
}
