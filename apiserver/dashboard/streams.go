package dashboard

import (
	"sync"

	"github.com/pressroom-dev/pressroom/apiserver/login"
)

// The bounds of open streams. Sessions are free, so those of a person and of an account are bounded too.
const (
	maxStreams        = 2000
	maxStreamsAccount = 300
	maxStreamsPerson  = 30
	maxStreamsSession = 10
)

// streams counts the open streams of a replica, and those of each session, person and account.
type streams struct {
	mu    sync.Mutex
	all   int
	holds map[streamHolder]int
}

// streamHolder is a session, a person or an account. Which of them it is follows from the fields that are set.
type streamHolder struct{ account, person, session string }

// holdersOf returns who has a stream of a person, with their bounds.
func holdersOf(p login.Person) map[streamHolder]int {
	return map[streamHolder]int{
		{p.Account, p.ID, p.SessionID}: maxStreamsSession, {p.Account, p.ID, ""}: maxStreamsPerson, {p.Account, "", ""}: maxStreamsAccount,
	}
}

// open counts a stream of a person, and reports whether it may be opened. If so, close must be called in the end.
func (s *streams) open(p login.Person) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= maxStreams {
		return false
	}
	for holder, most := range holdersOf(p) {
		if s.holds[holder] >= most {
			return false
		}
	}
	if s.holds == nil {
		s.holds = map[streamHolder]int{}
	}
	s.all++
	for holder := range holdersOf(p) {
		s.holds[holder]++
	}
	return true
}

// close is the reverse of open.
func (s *streams) close(p login.Person) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	for holder := range holdersOf(p) {
		if s.holds[holder]--; s.holds[holder] == 0 {
			delete(s.holds, holder)
		}
	}
}
