package index

import (
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// arrivalPatience is after which time an article that no event has brought counts as deleted meanwhile.
const arrivalPatience = 10 * time.Minute

// arrivals are the published articles that the informer has received and whose events have not reached the index yet. An informer
// transforms what it receives in the order of kube-apiserver, but after a lost watch it receives everything at once, and the
// events come in any order: then an article that was published long ago may be indexed after a recent one.
type arrivals struct {
	mu sync.Mutex
	// articles are there for no more than a moment, but for those that a lost watch has left out.
	articles map[client.ObjectKey]arrival
}

type arrival struct {
	published, received time.Time
}

// receive notes an article that the informer has received.
func (s *arrivals) receive(a *v1alpha1.Article, now time.Time) {
	published := lifecycle.Have(a).PublishTime
	if published == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.articles[client.ObjectKeyFromObject(a)] = arrival{published: published.Time, received: now}
}

// arrive notes that an event has brought an article. One that is not published yet comes before the event of its publication.
func (s *arrivals) arrive(a *v1alpha1.Article) {
	if lifecycle.Have(a).PublishTime != nil {
		s.forget(a)
	}
}

// forget notes that an article is not on its way any more.
func (s *arrivals) forget(a *v1alpha1.Article) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.articles, client.ObjectKeyFromObject(a))
}

// before returns the earliest publication that is on its way, or at if that is earlier.
func (s *arrivals) before(workspace string, at, now time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, a := range s.articles {
		switch {
		case now.Sub(a.received) > arrivalPatience:
			delete(s.articles, key)
		case key.Namespace == workspace && a.published.Before(at):
			at = a.published
		}
	}
	return at
}
