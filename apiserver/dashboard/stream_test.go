package dashboard_test

import (
	"errors"
	"testing"
	"time"

	testingclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
)

// opened is a stream under a fake clock.
type opened struct {
	t       *testing.T
	clock   *testingclock.FakeClock
	changed chan struct{}
	gone    chan struct{}
	ending  chan struct{}
	// updates receives for each update, and asked each time the rights are read.
	updates, asked, done chan struct{}
	allowed              bool
	err                  error
}

func openStream(t *testing.T) *opened {
	t.Helper()
	o := &opened{
		t: t, clock: testingclock.NewFakeClock(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)), allowed: true,
		changed: make(chan struct{}, 1), gone: make(chan struct{}), ending: make(chan struct{}),
		updates: make(chan struct{}), asked: make(chan struct{}), done: make(chan struct{}),
	}
	go func() {
		defer close(o.done)
		dashboard.RunStream(o.clock, o.changed, o.gone, o.ending,
			// What they return is read before the test hears of the call, and may change it.
			func() bool { allowed := o.allowed; o.asked <- struct{}{}; return allowed },
			func() error { err := o.err; o.updates <- struct{}{}; return err })
	}()
	<-o.updates
	return o
}

// pass lets time go by, second by second, and answers what the stream asks for on the way. It returns how many updates there were.
func (o *opened) pass(d time.Duration) (updates int) {
	for range int(d / time.Second) {
		o.clock.Step(time.Second)
		for waiting := true; waiting; {
			select {
			case <-o.updates:
				updates++
			case <-o.asked:
			case <-o.done:
				return updates
			default:
				// What the step has made due is received by the time the stream waits for all its timers again.
				waiting = o.clock.Waiters() < 3
			}
		}
	}
	return updates
}

func TestAStreamEndsAfterTenMinutes(t *testing.T) {
	o := openStream(t)
	if n := o.pass(9 * time.Minute); n < 35 || n > 36 {
		t.Errorf("%d updates in 9 minutes without a change, want one every 15 s", n)
	}
	select {
	case <-o.done:
		t.Fatal("it has ended early")
	default:
	}
	o.pass(time.Minute)
	<-o.done
}

func TestAStreamEndsWhen(t *testing.T) {
	for name, end := range map[string]func(o *opened){
		"the browser goes":      func(o *opened) { close(o.gone) },
		"the replica drains":    func(o *opened) { close(o.ending) },
		"a right is taken away": func(o *opened) { o.allowed = false; o.pass(30 * time.Second) },
		"nothing can be sent": func(o *opened) {
			o.err = errors.New("broken")
			o.changed <- struct{}{}
			<-o.updates
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := openStream(t)
			end(o)
			<-o.done
		})
	}
}

func TestChangesAreSentAtOnceAndAtMostFourTimesASecond(t *testing.T) {
	o := openStream(t)
	o.changed <- struct{}{}
	<-o.updates
	o.changed <- struct{}{}
	// The stream waits for the pause to end, and for its three other timers.
	for o.clock.Waiters() < 4 {
		continue
	}
	o.clock.Step(249 * time.Millisecond)
	select {
	case <-o.updates:
		t.Fatal("two updates within 250 ms")
	default:
	}
	o.clock.Step(time.Millisecond)
	<-o.updates
	close(o.gone)
	<-o.done
}

func TestStreamsAreBounded(t *testing.T) {
	open, closeOne := dashboard.CountStreams()
	for range 10 {
		if !open("mara") {
			t.Fatal("ten streams of a session must be possible")
		}
	}
	if open("mara") {
		t.Error("an eleventh stream of a session is open")
	}
	if !open("wes") {
		t.Error("another session has no stream")
	}
	closeOne("mara")
	if !open("mara") {
		t.Error("a stream that has ended still counts")
	}
	all := 11
	for open("session " + string(rune('a'+all%26)) + string(rune('a'+all/260))) {
		all++
	}
	if all != 2000 {
		t.Errorf("%d streams of a replica, want 2000", all)
	}
}
