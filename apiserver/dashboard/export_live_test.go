package dashboard

import (
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/login"
)

// RunStream runs a stream of live updates until it ends.
func RunStream(c clock.Clock, changed, gone, ending <-chan struct{}, allowed func() bool, send func(string) error) {
	s := stream{clock: c, changed: changed, gone: gone, ending: ending, allowed: allowed, send: send}
	s.run()
}

// CountStreams returns the functions that count the streams of a replica.
func CountStreams() (open func(login.Person) bool, closeOne func(login.Person)) {
	s := newStreams()
	return func(p login.Person) bool { return s.Take(holderOf(p), 1) }, func(p login.Person) { s.Give(holderOf(p), 1) }
}
