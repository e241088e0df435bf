package system_test

import (
	"context"
	"net"
	"sync"
)

// moment is a point of the controller's work at which it can be killed.
type moment string

// The moments. Those of writing come to an end at the API server: it asks the test before it stores what it was sent.
const (
	publishAsked      moment = "publishing: the attempt is not written yet"
	publishConnected  moment = "publishing: connected, nothing of the request read"
	publishInProgress moment = "publishing: the request is read, no answer"
	publishAnswered   moment = "publishing: answered, not recorded"

	eventAsked      moment = "event: the attempt is not written yet"
	eventConnected  moment = "event: connected, nothing of the request read"
	eventInProgress moment = "event: the request is read, no answer"
	eventAnswered   moment = "event: answered, not recorded"

	runAsked       moment = "generation: charged, the run is not written yet"
	runFields      moment = "generation: the model has the first question"
	runBody        moment = "generation: the model has the second question"
	runAnswered    moment = "generation: answered, no revision yet"
	runUnrecorded  moment = "generation: the revision is made, not recorded"
	atARandomPoint moment = "anywhere: at a random time"
)

// moments are all of them.
func moments() []moment {
	return []moment{
		publishAsked, publishConnected, publishInProgress, publishAnswered,
		eventAsked, eventConnected, eventInProgress, eventAnswered,
		runAsked, runFields, runBody, runAnswered, runUnrecorded,
		atARandomPoint,
	}
}

// trap kills the controller when it comes to the moment that it is set to. Who sees the controller there, says so by at.
type trap struct {
	kill func() error

	mu     sync.Mutex
	set    moment
	sprung chan error
}

func newTrap(kill func() error) *trap {
	return &trap{kill: kill, sprung: make(chan error, 1)}
}

// setTo makes the trap wait for a moment.
func (t *trap) setTo(m moment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set = m
}

// at says that the controller is at a moment, and does not come further before at returns. It reports whether the controller
// was killed.
func (t *trap) at(m moment) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m == "" || t.set != m {
		return false
	}
	t.set = ""
	t.sprung <- t.kill()
	return true
}

// await waits until the controller has been killed.
func (t *trap) await(ctx context.Context) error {
	select {
	case err := <-t.sprung:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// doorkeeper is a listener that springs the trap when a connection has been made, before anything is read of it.
type doorkeeper struct {
	net.Listener
	trap      *trap
	connected moment
}

// Accept implements net.Listener.
func (d doorkeeper) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	if err == nil {
		d.trap.at(d.connected)
	}
	return conn, err
}
