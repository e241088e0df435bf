//go:build e2e

package install

import (
	"slices"
	"sync"
)

// service is the Service in front of the replicas. It forgets one before that is asked to end, as the preStop hook of the Deployment
// ensures.
type service struct {
	mu    sync.Mutex
	ready []*endpoint
	turn  int
}

type endpoint struct {
	url  string
	busy sync.WaitGroup
}

func (s *service) add(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = append(s.ready, &endpoint{url: url})
}

// remove returns when no request that was sent to the replica is open.
func (s *service) remove(url string) {
	s.mu.Lock()
	i := slices.IndexFunc(s.ready, func(e *endpoint) bool { return e.url == url })
	gone := s.ready[i]
	s.ready = slices.Delete(s.ready, i, i+1)
	s.mu.Unlock()
	gone.busy.Wait()
}

// with calls f with the address of the replica whose turn it is.
func (s *service) with(f func(url string) error) error {
	s.mu.Lock()
	s.turn++
	e := s.ready[s.turn%len(s.ready)]
	e.busy.Add(1)
	s.mu.Unlock()
	defer e.busy.Done()
	return f(e.url)
}
