package dashboard

import (
	"fmt"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

// The times of a stream of live updates.
const (
	// streamLife is how long a stream lasts. The browser comes back for another one.
	streamLife = 10 * time.Minute
	// streamBeat is how often the rights of the person are read. If they still have them, a change is signalled: some things change by the
	// clock, and a connection that is broken is noticed.
	streamBeat = 30 * time.Second
	// streamPause is the least time between two changes that are signalled, and so between two times that a page fetches itself.
	streamPause = time.Second
	// streamRetry is after which time a browser comes back.
	streamRetry = 3 * time.Second
)

// eventChanged is the event that says that something may have changed.
const eventChanged = "data: changed\n\n"

// stream signals changes of a workspace for as long as it may.
type stream struct {
	clock clock.Clock
	// changed receives when something may have changed.
	changed <-chan struct{}
	// gone is closed when the browser has gone, and ending when the replica drains.
	gone, ending <-chan struct{}
	// allowed reports whether the person still has the rights that they had.
	allowed func() bool
	// send sends a text. An error ends the stream.
	send func(text string) error
}

// run returns when the stream has to end. The page is older than the stream, so a change is signalled at once.
func (s *stream) run() {
	if s.send(fmt.Sprintf("retry: %d\n%s", streamRetry.Milliseconds(), eventChanged)) != nil {
		return
	}
	end, beat := s.clock.NewTimer(streamLife), s.clock.NewTimer(streamBeat)
	defer end.Stop()
	defer beat.Stop()
	var changed <-chan struct{}
	pause := s.clock.After(streamPause)
	for {
		select {
		case <-s.gone:
			return
		case <-s.ending:
			return
		case <-end.C():
			return
		case <-pause:
			changed, pause = s.changed, nil
			continue
		case <-beat.C():
			if !s.allowed() {
				return
			}
			beat.Reset(streamBeat)
		case <-changed:
		}
		if s.send(eventChanged) != nil {
			return
		}
		changed, pause = nil, s.clock.After(streamPause)
	}
}

// The bounds of open streams. Sessions are free, so those of a person and of an account are bounded too.
const (
	maxStreams        = 2000
	maxStreamsAccount = 300
	maxStreamsPerson  = 30
	maxStreamsSession = 10
)

// newStreams returns the bounds of the open streams of a replica.
func newStreams() *middleware.Budget {
	return middleware.NewBudget(middleware.Bounds{
		All: maxStreams, Account: maxStreamsAccount, Person: maxStreamsPerson, Session: maxStreamsSession,
	})
}

func holderOf(p login.Person) middleware.Holder {
	return middleware.Holder{Account: p.Account, Person: p.ID, Session: p.SessionID}
}
