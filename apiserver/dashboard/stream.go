package dashboard

import (
	"time"

	"k8s.io/utils/clock"
)

// The times of a stream of live updates.
const (
	// streamLife is how long a stream lasts. The browser comes back for another one.
	streamLife = 10 * time.Minute
	// streamRights is how often it is asked whether the person may still see the page.
	streamRights = 30 * time.Second
	// streamBeat is how often the page is made without a change: some things change by the clock. Something is sent each time, so that a
	// connection that is broken is noticed.
	streamBeat = 15 * time.Second
	// streamPause is how long changes are collected after one that was sent.
	streamPause = 250 * time.Millisecond
	// streamRetry is after which time a browser comes back.
	streamRetry = 3 * time.Second
)

// stream sends the parts of a page that change for as long as it may.
type stream struct {
	clock clock.Clock
	// changed receives when something may have changed.
	changed <-chan struct{}
	// gone is closed when the browser has gone, and ending when the replica drains.
	gone, ending <-chan struct{}
	// allowed reports whether the person may still see the page.
	allowed func() bool
	// update sends what has changed since the last time, or a sign of life. An error ends the stream.
	update func() error
}

// run returns when the stream has to end.
func (s *stream) run() {
	end, rights, beat := s.clock.NewTimer(streamLife), s.clock.NewTimer(streamRights), s.clock.NewTimer(streamBeat)
	defer end.Stop()
	defer rights.Stop()
	defer beat.Stop()
	if s.update() != nil {
		return
	}
	changed := s.changed
	var pause <-chan time.Time
	for {
		select {
		case <-s.gone:
			return
		case <-s.ending:
			return
		case <-end.C():
			return
		case <-rights.C():
			if !s.allowed() {
				return
			}
			rights.Reset(streamRights)
		case <-pause:
			changed, pause = s.changed, nil
		case <-beat.C():
			if s.update() != nil {
				return
			}
			beat.Reset(streamBeat)
		case <-changed:
			if s.update() != nil {
				return
			}
			changed, pause = nil, s.clock.After(streamPause)
		}
	}
}
