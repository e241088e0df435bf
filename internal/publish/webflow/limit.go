package webflow

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// Webflow allows 60 requests a minute on most plans. A burst of 10 and 50 a minute are never more than 60 in any minute.
const (
	burst    = 10
	interval = time.Minute / 50
)

// limitKey identifies who uses up the requests of a site: a site's id is in each of its pages, and others may send requests in its name.
type limitKey struct {
	siteID string
	token  [sha256.Size]byte
}

// limits has the limit of each site and token.
type limits struct {
	mu    sync.Mutex
	sites *lru.Cache
}

// limit keeps the requests to one site below Webflow's limit.
type limit struct {
	rate  *rate.Limiter
	clock clock.PassiveClock
}

// of returns the limit of a site and a token.
func (l *limits) of(siteID, token string, clock clock.PassiveClock) *limit {
	key := limitKey{siteID, sha256.Sum256([]byte(token))}
	l.mu.Lock()
	defer l.mu.Unlock()
	if found, _ := l.sites.Get(key); found != nil {
		if known, ok := found.(*limit); ok {
			return known
		}
	}
	made := &limit{rate.NewLimiter(rate.Every(interval), burst), clock}
	l.sites.Add(key, made)
	return made
}

// wait waits until the site accepts another request. It fails at once if that is after the end of the attempt.
func (l *limit) wait(ctx context.Context, client *cms.Client) error {
	now := l.clock.Now()
	turn := l.rate.ReserveN(now, 1)
	delay := turn.DelayFrom(now)
	if delay == 0 {
		return nil
	}
	if err := client.Wait(ctx, delay, "Webflow allows 60 requests a minute for a site: the rest waits"); err != nil {
		turn.CancelAt(now)
		return err
	}
	return nil
}
