package dashboard

import (
	"testing"

	"k8s.io/utils/clock"
)

// RunStream runs a stream of live updates until it ends.
func RunStream(c clock.Clock, changed, gone, ending <-chan struct{}, allowed func() bool, update func() error) {
	s := stream{clock: c, changed: changed, gone: gone, ending: ending, allowed: allowed, update: update}
	s.run()
}

// CountStreams returns the functions that count the streams of a replica.
func CountStreams() (open func(session string) bool, closeOne func(session string)) {
	s := &streams{}
	return s.open, s.close
}

// LiveState is what a browser has of a page.
type LiveState struct{ state liveState }

// NewLiveState is that of a page with some rows.
func NewLiveState(rows ...string) *LiveState {
	return &LiveState{liveState{rows: rows, hashes: map[string]uint64{}}}
}

// Changes returns what has to be sent of a page.
func (l *LiveState) Changes(t *testing.T, page string) (parts []string, added int, some bool) {
	t.Helper()
	found, err := liveParts([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	message, some := l.state.changes(found)
	return message.Parts, message.Added, some
}
