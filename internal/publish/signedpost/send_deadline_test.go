package signedpost_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

// pause lets time pass, in a bubble of synctest: nobody waits for it.
func pause(d time.Duration) { <-time.After(d) }

// inMemory returns a client whose every connection is made after a time and served by a function.
func inMemory(connect time.Duration, serve func(net.Conn)) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			pause(connect)
			here, there := net.Pipe()
			go func() {
				defer func() { _ = there.Close() }()
				serve(there)
			}()
			return here, nil
		},
	}}
}

// inMemoryURL is what such a client is sent to.
const inMemoryURL = "http://receiver.example/"

// answerAfter reads the request, waits and answers.
func answerAfter(d time.Duration, answer string) func(net.Conn) {
	return func(conn net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		pause(d)
		_, _ = io.WriteString(conn, answer)
	}
}

// took is how long an attempt took.
func took(o publish.Outcome) time.Duration { return time.Duration(o.Milliseconds) * time.Millisecond }

const accepted = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"

func TestOneDeadlineIsOverEverything(t *testing.T) {
	trickle := func(conn net.Conn, d time.Duration, text string) error {
		_, err := io.WriteString(conn, text)
		for err == nil {
			pause(d)
			_, err = io.WriteString(conn, " ")
		}
		return err
	}
	big := []byte(strings.Repeat("slow ", 20000))
	wantMessages := map[v1alpha1.AttemptOutcome]string{v1alpha1.AttemptTimeout: "no answer in time", v1alpha1.AttemptRejected: "the receiver answered "}
	tests := map[string]struct {
		connect     time.Duration
		serve       func(net.Conn)
		body        []byte
		wantOutcome v1alpha1.AttemptOutcome
		// wantStatus is that of a rejection.
		wantStatus int
		wantID     string
		wantTook   time.Duration
	}{
		"an answer at once":          {serve: answerAfter(0, accepted), wantOutcome: v1alpha1.AttemptAccepted},
		"an answer after 29 s":       {serve: answerAfter(29*time.Second, accepted), wantOutcome: v1alpha1.AttemptAccepted, wantTook: 29 * time.Second},
		"an answer after 31 s":       {serve: answerAfter(31*time.Second, accepted), wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second},
		"no answer":                  {serve: answerAfter(time.Hour, accepted), wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second},
		"a connection after 29 s":    {connect: 29 * time.Second, serve: answerAfter(0, accepted), wantOutcome: v1alpha1.AttemptAccepted, wantTook: 29 * time.Second},
		"a connection after an hour": {connect: time.Hour, serve: answerAfter(0, accepted), wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second},
		"20 s to connect and 20 s to answer": {
			connect: 20 * time.Second, serve: answerAfter(20*time.Second, accepted), wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second,
		},
		"headers that trickle": {
			serve: func(conn net.Conn) {
				answerAfter(0, "HTTP/1.1 200 OK\r\nX-Slow: ")(conn)
				_ = trickle(conn, time.Second, "")
			},
			wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second,
		},
		"interim answers that trickle": {
			serve: func(conn net.Conn) {
				answerAfter(0, "")(conn)
				for range 3600 {
					pause(time.Second)
					if _, err := io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
						return
					}
				}
			},
			wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second,
		},
		"a body that trickles": {
			serve: func(conn net.Conn) {
				answerAfter(0, accepted)(conn)
				_ = trickle(conn, time.Second, `{"id":"1",`)
			},
			wantOutcome: v1alpha1.AttemptAccepted, wantTook: 30 * time.Second,
		},
		"a body that trickles after headers at 29 s": {
			serve: func(conn net.Conn) {
				answerAfter(29*time.Second, accepted)(conn)
				_ = trickle(conn, time.Second, `{"id":`)
			},
			wantOutcome: v1alpha1.AttemptAccepted, wantTook: 30 * time.Second,
		},
		"a body that trickles on after its end": {
			serve: func(conn net.Conn) {
				answerAfter(2*time.Second, accepted)(conn)
				_ = trickle(conn, time.Second, `{"id":"1"}`)
			},
			wantOutcome: v1alpha1.AttemptAccepted, wantID: "1", wantTook: 2 * time.Second,
		},
		"a body that never comes": {
			serve: func(conn net.Conn) {
				answerAfter(0, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")(conn)
				_, _ = io.Copy(io.Discard, conn)
			},
			wantOutcome: v1alpha1.AttemptAccepted, wantTook: 30 * time.Second,
		},
		"a receiver that reads a byte a second": {
			body: big,
			serve: func(conn net.Conn) {
				for b := make([]byte, 1); ; pause(time.Second) {
					if _, err := conn.Read(b); err != nil {
						return
					}
				}
			},
			wantOutcome: v1alpha1.AttemptTimeout, wantTook: 30 * time.Second,
		},
		"a rejection whose body trickles": {
			serve: func(conn net.Conn) {
				answerAfter(time.Second, "HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n")(conn)
				_ = trickle(conn, time.Second, "x")
			},
			// It has refused already; two seconds more are for saying why.
			wantOutcome: v1alpha1.AttemptRejected, wantStatus: 500, wantTook: 3 * time.Second,
		},
		"another protocol, then silence": {
			serve: func(conn net.Conn) {
				answerAfter(time.Second, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")(conn)
				_, _ = io.Copy(io.Discard, conn) // until the sender hangs up
			},
			wantOutcome: v1alpha1.AttemptRejected, wantStatus: 101, wantTook: 3 * time.Second,
		},
		"another protocol that trickles": {
			serve: func(conn net.Conn) {
				answerAfter(29*time.Second, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")(conn)
				_ = trickle(conn, time.Second, "x")
			},
			wantOutcome: v1alpha1.AttemptRejected, wantStatus: 101, wantTook: 30 * time.Second,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer pause(2 * time.Hour) // for the receiver to end: a bubble may leave nothing behind
				r := requestTo(inMemoryURL)
				if tt.body != nil {
					r.Body = tt.body
				}
				o := signedpost.Send(t.Context(), inMemory(tt.connect, tt.serve), clock.RealClock{}, r)
				if o.Outcome != tt.wantOutcome || o.ID != tt.wantID || took(o) != tt.wantTook {
					t.Errorf("outcome is %+v, want %s after %s with the id %q", o, tt.wantOutcome, tt.wantTook, tt.wantID)
				}
				want := wantMessages[tt.wantOutcome]
				if tt.wantOutcome == v1alpha1.AttemptRejected {
					want += fmt.Sprintf("%d %s", tt.wantStatus, http.StatusText(tt.wantStatus))
				}
				if o.Message != want {
					t.Errorf("message is %q, want %q", o.Message, want)
				}
			})
		})
	}
}

func TestAnEarlierDeadlineOfTheCallerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer pause(2 * time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		c := inMemory(0, answerAfter(time.Minute, accepted))
		if o := signedpost.Send(ctx, c, clock.RealClock{}, requestTo(inMemoryURL)); o.Outcome != v1alpha1.AttemptTimeout || took(o) != 5*time.Second {
			t.Errorf("outcome is %+v, want a timeout after 5 s", o)
		}
		c.Timeout = 3 * time.Second
		if o := signedpost.Send(t.Context(), c, clock.RealClock{}, requestTo(inMemoryURL)); o.Outcome != v1alpha1.AttemptTimeout || took(o) != 3*time.Second {
			t.Errorf("outcome is %+v, want a timeout after the client's 3 s", o)
		}
	})
}

// roundTrip is a transport that is a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestWhatBreaksBecauseOfTheDeadlineIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, net.ErrClosed
		})}
		o := signedpost.Send(t.Context(), c, clock.RealClock{}, requestTo(inMemoryURL))
		want := publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptTimeout, ErrorClass: v1alpha1.ErrorTimeout, Message: "no answer in time", Milliseconds: 30_000,
		}}
		if !reflect.DeepEqual(o, want) {
			t.Errorf("outcome is %+v, want %+v", o, want)
		}
	})
}

// A dial has the deadline of its request, and may be over a moment before the request's context is.
func TestTheDeadlineOfAConnectionIsATimeout(t *testing.T) {
	c := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}
	})}
	o := signedpost.Send(t.Context(), c, clock.RealClock{}, requestTo(inMemoryURL))
	if o.Outcome != v1alpha1.AttemptTimeout || o.ErrorClass != v1alpha1.ErrorTimeout || o.Message != "no answer in time" {
		t.Errorf("outcome is %+v, want a timeout", o)
	}
}

func TestNoTransportCanSendTheRequestAgain(t *testing.T) {
	c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.GetBody != nil || r.ContentLength <= 0 {
			t.Errorf("the transport can get the body again: %t, or does not know its length: %d", r.GetBody != nil, r.ContentLength)
		}
		return nil, net.ErrClosed
	})}
	if o := signedpost.Send(t.Context(), c, clock.RealClock{}, requestTo(inMemoryURL)); o.Outcome != v1alpha1.AttemptConnectionFailed {
		t.Errorf("outcome is %+v, want a failed connection", o)
	}
}
