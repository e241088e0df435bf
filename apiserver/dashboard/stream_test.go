package dashboard_test

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	testingclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/login"
)

// opened is a stream under a fake clock.
type opened struct {
	t       *testing.T
	clock   *testingclock.FakeClock
	changed chan struct{}
	gone    chan struct{}
	ending  chan struct{}
	// sent receives what is sent, and asked each time the rights are read.
	sent        chan string
	asked, done chan struct{}
	allowed     bool
	err         error
}

func openStream(t *testing.T) *opened {
	t.Helper()
	o := &opened{
		t: t, clock: testingclock.NewFakeClock(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)), allowed: true,
		changed: make(chan struct{}, 1), gone: make(chan struct{}), ending: make(chan struct{}),
		sent: make(chan string), asked: make(chan struct{}), done: make(chan struct{}),
	}
	go func() {
		defer close(o.done)
		dashboard.RunStream(o.clock, o.changed, o.gone, o.ending,
			// What they return is read before the test hears of the call, and may change it.
			func() bool { allowed := o.allowed; o.asked <- struct{}{}; return allowed },
			func(text string) error { err := o.err; o.sent <- text; return err })
	}()
	if first := <-o.sent; first != "retry: 3000\ndata: changed\n\n" {
		t.Errorf("the stream begins with %q", first)
	}
	o.awaitTimers(3)
	return o
}

// awaitTimers waits until the stream waits for so many timers.
func (o *opened) awaitTimers(n int) {
	for o.clock.Waiters() != n {
		runtime.Gosched()
	}
}

// untilBeat lets 30 s go by, after which the rights are read.
func (o *opened) untilBeat() {
	o.clock.Step(29 * time.Second)
	// The pause after what was sent last is over.
	o.awaitTimers(2)
	o.clock.Step(time.Second)
}

func TestAStreamSignalsEvery30sAndEndsAfterTenMinutes(t *testing.T) {
	o := openStream(t)
	for range 19 {
		o.untilBeat()
		<-o.asked
		<-o.sent
		o.awaitTimers(3)
	}
	o.untilBeat()
	for {
		select {
		case <-o.asked:
		case <-o.sent:
		case <-o.done:
			return
		}
	}
}

func TestAStreamEndsWhen(t *testing.T) {
	for name, end := range map[string]func(o *opened){
		"the browser goes":      func(o *opened) { close(o.gone) },
		"the replica drains":    func(o *opened) { close(o.ending) },
		"a right is taken away": func(o *opened) { o.allowed = false; o.untilBeat(); <-o.asked },
		"nothing can be sent": func(o *opened) {
			o.err = errors.New("broken")
			o.changed <- struct{}{}
			o.clock.Step(time.Second)
			<-o.sent
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := openStream(t)
			end(o)
			<-o.done
		})
	}
}

func TestAChangeIsSignalledAtOnceAndAtMostOnceASecond(t *testing.T) {
	o := openStream(t)
	o.clock.Step(time.Second)
	o.awaitTimers(2)
	for range 2 {
		o.changed <- struct{}{}
		if sent := <-o.sent; sent != "data: changed\n\n" {
			t.Errorf("sent %q", sent)
		}
		o.changed <- struct{}{}
		o.awaitTimers(3)
		o.clock.Step(999 * time.Millisecond)
		select {
		case <-o.sent:
			t.Fatal("two signals within a second")
		default:
		}
		o.clock.Step(time.Millisecond)
		<-o.sent
		o.awaitTimers(3)
		o.clock.Step(time.Second)
		o.awaitTimers(2)
	}
	close(o.gone)
	<-o.done
}

func TestStreamsAreBounded(t *testing.T) {
	for what, bound := range map[string]struct {
		most int
		// person has the n-th stream.
		person func(n int) login.Person
	}{
		"a session":  {10, func(int) login.Person { return login.Person{Account: "acme", ID: "mara", SessionID: "s"} }},
		"a person":   {30, func(n int) login.Person { return login.Person{Account: "acme", ID: "mara", SessionID: strconv.Itoa(n)} }},
		"an account": {300, func(n int) login.Person { return login.Person{Account: "acme", ID: strconv.Itoa(n), SessionID: "s"} }},
		"a replica":  {2000, func(n int) login.Person { return login.Person{Account: strconv.Itoa(n), ID: "mara", SessionID: "s"} }},
	} {
		t.Run(strings.ReplaceAll(what, " ", "-"), func(t *testing.T) {
			open, closeOne := dashboard.CountStreams()
			for n := range bound.most {
				if !open(bound.person(n)) {
					t.Fatalf("stream %d is refused, want %d", n+1, bound.most)
				}
			}
			if open(bound.person(bound.most)) {
				t.Errorf("more than %d streams are open", bound.most)
			}
			closeOne(bound.person(0))
			if !open(bound.person(bound.most)) {
				t.Error("a stream that has ended still counts")
			}
		})
	}
}
