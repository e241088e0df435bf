package dashboard

import "sync"

// The bounds of open streams.
const (
	maxStreams        = 2000
	maxStreamsSession = 10
)

// streams counts the open streams of a replica, and those of each session.
type streams struct {
	mu       sync.Mutex
	all      int
	sessions map[string]int
}

// open counts a stream of a session, and reports whether it may be opened. If so, close must be called in the end.
func (s *streams) open(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= maxStreams || s.sessions[session] >= maxStreamsSession {
		return false
	}
	if s.sessions == nil {
		s.sessions = map[string]int{}
	}
	s.all++
	s.sessions[session]++
	return true
}

// close is the reverse of open.
func (s *streams) close(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.sessions[session]--; s.sessions[session] == 0 {
		delete(s.sessions, session)
	}
}
