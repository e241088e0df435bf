//go:build e2e

package system_test

import (
	"context"
	"net"
	"sync"
)

// killPoint is a point of the controller's work at which it can be killed.
type killPoint string

// At those of a write kube-apiserver asks the test, by a webhook, before it stores the object.
const (
	publishBeforeAttempt killPoint = "publishing: the attempt is not written yet"
	publishConnected     killPoint = "publishing: connected, nothing of the request read"
	publishInProgress    killPoint = "publishing: the request is read, no answer"
	publishBeforeOutcome killPoint = "publishing: answered, not recorded"

	eventBeforeAttempt killPoint = "event: the attempt is not written yet"
	eventConnected     killPoint = "event: connected, nothing of the request read"
	eventInProgress    killPoint = "event: the request is read, no answer"
	eventBeforeOutcome killPoint = "event: answered, not recorded"

	runBeforeAttempt  killPoint = "generation: charged, the run is not written yet"
	runFirstQuestion  killPoint = "generation: the model has the first question"
	runSecondQuestion killPoint = "generation: the model has the second question"
	runBeforeRevision killPoint = "generation: answered, no revision yet"
	runBeforeOutcome  killPoint = "generation: the revision is made, not recorded"
	atRandom          killPoint = "anywhere: at a random time"
)

// killPoints are all of them.
func killPoints() []killPoint {
	return []killPoint{
		publishBeforeAttempt, publishConnected, publishInProgress, publishBeforeOutcome,
		eventBeforeAttempt, eventConnected, eventInProgress, eventBeforeOutcome,
		runBeforeAttempt, runFirstQuestion, runSecondQuestion, runBeforeRevision, runBeforeOutcome,
		atRandom,
	}
}

// trap kills the controller when at is called with the kill point that it is set to.
type trap struct {
	kill func() error

	mu     sync.Mutex
	set    killPoint
	sprung chan error
}

func newTrap(kill func() error) *trap {
	return &trap{kill: kill, sprung: make(chan error, 1)}
}

// setTo chooses the next kill point.
func (t *trap) setTo(m killPoint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set = m
}

// at is called when the controller has come to a kill point, and gets no further before at returns. It reports whether the
// controller was killed.
func (t *trap) at(m killPoint) bool {
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

// trapListener calls the trap when a connection has been made, before anything is read from it.
type trapListener struct {
	net.Listener
	trap      *trap
	connected killPoint
}

// Accept implements net.Listener.
func (d trapListener) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	if err == nil {
		d.trap.at(d.connected)
	}
	return conn, err
}
