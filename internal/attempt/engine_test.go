package attempt_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// receiver is what all subjects call.
var receiver = inflight.SlotRequest{Account: "acme", Host: "receiver"}

// subject notes in which order the engine does what.
type subject struct {
	name    string
	did     []string
	attempt string
	// missing blocks Prepare, unpaid is the error of Begin, refused that of Save. blocked and outdated are what status says.
	missing, unpaid, refused error
	blocked, outdated        bool
	// unrecorded means that the end cannot be recorded yet.
	unrecorded bool
	// saving is called by Save.
	saving func()
	end    publish.Outcome
	// client sends the request, if it is not nil.
	client *http.Client
	check  *attempt.Check[publish.Outcome]
	sent   chan struct{}
	// proceed lets the request end, if it is not nil.
	proceed chan struct{}
}

func (s *subject) note(what string) { s.did = append(s.did, what) }

func (s *subject) Key() types.NamespacedName {
	return types.NamespacedName{Namespace: "w", Name: s.name}
}
func (s *subject) Attempt() string                  { return s.attempt }
func (s *subject) Stored() (blocked, outdated bool) { return s.blocked, s.outdated }
func (s *subject) Queued()                          { s.note("queued") }
func (s *subject) Checking()                        { s.note("checking") }

func (s *subject) SlotRequest(context.Context) (inflight.SlotRequest, error) { return receiver, nil }

func (s *subject) Prepare(context.Context) (attempt.Plan[publish.Outcome], error) {
	s.note("prepare")
	return attempt.Plan[publish.Outcome]{Check: s.check, Send: func(ctx context.Context) publish.Outcome {
		if s.client != nil {
			return s.post(ctx)
		}
		if s.proceed != nil {
			<-s.proceed
		}
		close(s.sent)
		return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted, Milliseconds: 1500}}
	}}, s.missing
}

// post sends two requests, whose answers are the outcome.
func (s *subject) post(ctx context.Context) publish.Outcome {
	for range 2 {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://receiver", strings.NewReader("text"))
		if err != nil {
			panic(err)
		}
		answer, err := s.client.Do(r)
		if err != nil {
			return publish.Outcome{ID: "7", AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptConnectionFailed}}
		}
		_ = answer.Body.Close()
	}
	return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted}}
}

func (s *subject) Begin(_ context.Context, id cycles.AttemptID) (time.Time, error) {
	s.note("begin")
	s.attempt = id.ID
	return now.Add(-42 * time.Second), s.unpaid
}

func (s *subject) Span(ctx context.Context) (context.Context, func(publish.Outcome)) {
	return ctx, func(publish.Outcome) {}
}

func (s *subject) End(_ context.Context, end publish.Outcome) (string, error) {
	s.note("end")
	s.end = end
	if s.unrecorded {
		return "", nil
	}
	return string(end.Outcome), nil
}

func (s *subject) Save(ctx context.Context, written func()) error {
	s.note("save")
	if s.saving != nil {
		s.saving()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.refused == nil {
		written()
	}
	return s.refused
}

func newSubject(name string) *subject {
	return &subject{name: name, sent: make(chan struct{})}
}

func newEngine(slots int) *attempt.Engine[publish.Outcome] {
	results := attempt.Results[publish.Outcome]{
		HeldUp: publish.Outcome.HeldUp, Interrupted: publish.Outcome{AttemptResult: cycles.Interrupted().AttemptResult},
		Seconds: func(o publish.Outcome) float64 { return float64(o.Milliseconds) / 1000 },
	}
	return attempt.NewEngine(inflight.Limits{Total: slots}, results, "process", testclock.NewFakePassiveClock(now), attempt.Metrics{
		Attempts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "attempts_total", Help: "Attempts."}, []string{"outcome"}),
		Seconds:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "duration_seconds", Help: "How long."}),
		Lateness: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "lateness_seconds", Help: "How late."}),
	})
}

func (s *subject) expect(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, s.did); diff != "" {
		t.Errorf("what was done (-want +got):\n%s", diff)
	}
}

// isSent reports whether the request has been sent.
func (s *subject) isSent() bool {
	select {
	case <-s.sent:
		return true
	default:
		return false
	}
}

// roundTripper answers requests in the process.
type roundTripper func()

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.ReadAll(r.Body); err != nil {
		return nil, err
	}
	f()
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

// A process that was stopped between the write and a request, and goes on after another one has taken over, would send an old text.
func TestNothingIsSentOnceTheProcessWasHeldUp(t *testing.T) {
	const inTime, late = 10 * time.Second, 10*time.Second + time.Millisecond
	for name, tt := range map[string]struct {
		// writing is how long the write takes, answering how long the first answer does.
		writing, answering time.Duration
		wantRequests       int
		want               v1alpha1.AttemptOutcome
		wantUncounted      bool
	}{
		"in time":                      {inTime, 0, 2, v1alpha1.AttemptAccepted, false},
		"held up before the requests":  {late, 0, 0, v1alpha1.AttemptNotSent, true},
		"held up between the requests": {0, late, 1, v1alpha1.AttemptUnknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			e, s, requests := newEngine(1), newSubject("a"), 0
			clock := testclock.NewFakePassiveClock(now)
			e.Clock = clock
			s.client = &http.Client{Transport: &fence.Transport{
				Clock: clock, Renewed: func() time.Time { return now },
				Next: roundTripper(func() { requests++; clock.SetTime(clock.Now().Add(tt.answering)) }),
			}}
			ended := make(chan types.NamespacedName, 1)
			e.Calls.Notify(func(key types.NamespacedName) { ended <- key })
			s.saving = func() { clock.SetTime(now.Add(tt.writing)) }
			if _, err := e.Start(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			<-ended
			if _, _, err := e.Follow(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if s.end.Outcome != tt.want || s.end.Final || s.end.Uncounted != tt.wantUncounted || requests != tt.wantRequests {
				t.Errorf("%d requests, and recorded is %+v; want %d and %s", requests, s.end, tt.wantRequests, tt.want)
			}
		})
	}
}

func TestAnAttemptIsWrittenAheadAndRecorded(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	ended := make(chan types.NamespacedName, 1)
	e.Calls.Notify(func(key types.NamespacedName) { ended <- key })
	begun, err := e.Start(t.Context(), s)
	if err != nil || !begun {
		t.Fatalf("Start = %t, %v", begun, err)
	}
	s.expect(t, "prepare", "begin", "save")
	<-ended
	if recorded, _, err := e.Follow(t.Context(), s); err != nil || !recorded {
		t.Fatalf("Follow = %t, %v", recorded, err)
	}
	s.expect(t, "prepare", "begin", "save", "end", "save")
	if s.end.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("recorded is %s", s.end.Outcome)
	}
	if got := testutil.ToFloat64(e.Metrics.Attempts.WithLabelValues("Accepted")); got != 1 {
		t.Errorf("%v attempts are counted, want 1", got)
	}
}

// nothing is an outcome of an attempt that cannot be made.
func nothing() *publish.Outcome {
	o := publish.NotSent(true, "the image has changed")
	return &o
}

// The look at an image takes up to 30 seconds. It blocks no reconcile, and is not between the write of the attempt and its request.
func TestACheckComesBeforeTheAttemptIsWritten(t *testing.T) {
	for name, tt := range map[string]struct {
		problem     *publish.Outcome
		wantDid     []string
		wantOutcome v1alpha1.AttemptOutcome
	}{
		"nothing is wrong": {nil, []string{"prepare", "begin", "save", "end", "save"}, v1alpha1.AttemptAccepted},
		"something is":     {nothing(), []string{"prepare", "begin", "end", "save"}, v1alpha1.AttemptNotSent},
	} {
		t.Run(name, func(t *testing.T) {
			e, s, answer := newEngine(1), newSubject("a"), make(chan *publish.Outcome)
			notified := make(chan types.NamespacedName, 10)
			e.Calls.Notify(func(key types.NamespacedName) { notified <- key })
			s.outdated = true
			s.check = &attempt.Check[publish.Outcome]{ID: "image", Do: func(context.Context) *publish.Outcome { return <-answer }}
			reconcile := func(want bool) {
				t.Helper()
				defer e.Calls.Begin(s.Key())()
				if begun, err := e.Start(t.Context(), s); begun != want || err != nil {
					t.Fatalf("Start = %t, %v", begun, err)
				}
			}
			reconcile(false)
			s.expect(t, "prepare", "checking", "save")
			s.outdated, s.did = false, nil
			reconcile(false)
			s.expect(t)
			other := newSubject("b")
			if begun, err := e.Start(t.Context(), other); begun || err != nil {
				t.Fatalf("Start = %t, %v: the check has the slot", begun, err)
			}
			answer <- tt.problem
			if key := <-notified; key != s.Key() {
				t.Fatalf("%s was notified", key.Name)
			}
			s.did = nil
			reconcile(true)
			if tt.problem == nil {
				<-notified
				if _, _, err := e.Follow(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
			s.expect(t, tt.wantDid...)
			if s.end.Outcome != tt.wantOutcome || s.isSent() != (tt.problem == nil) {
				t.Errorf("recorded is %s, sent %t", s.end.Outcome, s.isSent())
			}
			if key := <-notified; key != other.Key() {
				t.Errorf("%s was notified, want the one that waits", key.Name)
			}
		})
	}
}

func TestACheckOfSomethingElseIsTakenAgain(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	notified := make(chan types.NamespacedName, 10)
	e.Calls.Notify(func(key types.NamespacedName) { notified <- key })
	for _, id := range []string{"old", "new"} {
		s.check = &attempt.Check[publish.Outcome]{ID: id, Do: func(context.Context) *publish.Outcome { return nil }}
		if begun, err := e.Start(t.Context(), s); begun || err != nil {
			t.Fatalf("Start = %t, %v", begun, err)
		}
		<-notified
	}
	if begun, err := e.Start(t.Context(), s); !begun || err != nil {
		t.Errorf("Start = %t, %v", begun, err)
	}
}

// kube-apiserver may have the write whose answer nobody waits for.
func TestAnAttemptIsMadeThatIsWrittenWhenTheProcessIsAskedToStop(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	ctx, cancel := context.WithCancel(t.Context())
	s.saving = cancel
	if begun, err := e.Start(ctx, s); !begun || err != nil {
		t.Fatalf("Start = %t, %v", begun, err)
	}
	e.Calls.Drain(t.Context())
	if !s.isSent() {
		t.Error("it is written, and not sent")
	}

	late := newSubject("b")
	if begun, err := newEngine(1).Start(ctx, late); begun || err == nil {
		t.Errorf("Start = %t, %v, want none after the stop", begun, err)
	}
	if slices.Contains(late.did, "save") {
		t.Error("an attempt is written that nobody makes")
	}
}

// Nothing is sent that is not in status.
func TestAnAttemptThatCannotBeWrittenIsNotSent(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	s.refused = errors.New("conflict")
	if begun, err := e.Start(t.Context(), s); begun || !errors.Is(err, s.refused) {
		t.Fatalf("Start = %t, %v", begun, err)
	}
	if s.isSent() || e.Calls.Len() != 0 {
		t.Error("the request was sent")
	}
	if e.Calls.Acquire(s.Key(), receiver) == nil {
		t.Error("the slot is lost")
	}
}

// A run that cannot be paid is not written: it could not be made.
func TestAnAttemptThatCannotBeginIsNotWritten(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	s.unpaid = &lifecycle.BlockedError{Reason: v1alpha1.ReasonInsufficientCredits}
	if begun, err := e.Start(t.Context(), s); begun || !errors.Is(err, s.unpaid) {
		t.Fatalf("Start = %t, %v", begun, err)
	}
	s.expect(t, "prepare", "begin")
	if s.isSent() || e.Calls.Acquire(s.Key(), receiver) == nil {
		t.Error("the request was sent, or the slot is lost")
	}
}

// The progress that an attempt reports is what Follow returns until it has ended.
func TestFollowReturnsTheProgressOfAnAttempt(t *testing.T) {
	e, s, proceed := newEngine(1), newSubject("a"), make(chan struct{})
	ended := make(chan types.NamespacedName, 1)
	e.Calls.Notify(func(key types.NamespacedName) { ended <- key })
	s.proceed = proceed
	if _, err := e.Start(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	e.Calls.Report(s.attempt, publish.Outcome{ID: "half"})
	if recorded, soFar, err := e.Follow(t.Context(), s); recorded || soFar.ID != "half" || err != nil {
		t.Errorf("Follow = %t, %q, %v", recorded, soFar.ID, err)
	}
	close(proceed)
	<-ended
	if recorded, _, err := e.Follow(t.Context(), s); !recorded || err != nil {
		t.Errorf("Follow = %t, %v", recorded, err)
	}
}

// An end that waits for something, such as the Site of a generated text, is recorded later and counted once.
func TestAnEndThatCannotBeRecordedYetIsNotCounted(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	ended := make(chan types.NamespacedName, 1)
	e.Calls.Notify(func(key types.NamespacedName) { ended <- key })
	if _, err := e.Start(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	<-ended
	for _, s.unrecorded = range []bool{true, true, false} {
		if _, _, err := e.Follow(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if got := testutil.ToFloat64(e.Metrics.Attempts.WithLabelValues("Accepted")); got != 1 {
		t.Errorf("%v attempts are counted, want 1", got)
	}
}

func TestABlockedAttemptIsNotWritten(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	s.missing = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound}
	if begun, err := e.Start(t.Context(), s); begun || !errors.Is(err, s.missing) {
		t.Fatalf("Start = %t, %v", begun, err)
	}
	s.expect(t, "prepare")
}

func TestWaitingForASlotIsWrittenOnlyIfStatusSaysOtherwise(t *testing.T) {
	e := newEngine(1)
	slot := e.Calls.Acquire(types.NamespacedName{Name: "other"}, receiver)
	defer slot.Release()
	for _, tt := range []struct {
		name     string
		blocked  bool
		outdated bool
		missing  error
		want     []string
	}{
		{name: "not blocked"},
		{name: "not yet said to be due", outdated: true, want: []string{"queued", "save"}},
		{name: "no longer blocked", blocked: true, want: []string{"prepare", "queued", "save"}},
		{name: "still blocked", blocked: true, missing: &lifecycle.BlockedError{}, want: []string{"prepare"}},
	} {
		s := newSubject(tt.name)
		s.blocked, s.outdated, s.missing = tt.blocked, tt.outdated, tt.missing
		if begun, err := e.Start(t.Context(), s); begun || !errors.Is(err, tt.missing) {
			t.Errorf("%s: Start = %t, %v", tt.name, begun, err)
		}
		if !slices.Equal(s.did, tt.want) {
			t.Errorf("%s: did %v, want %v", tt.name, s.did, tt.want)
		}
	}
}

func TestTheAttemptOfAProcessThatIsGoneIsUnknown(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	s.attempt = "of another process"
	if recorded, _, err := e.Follow(t.Context(), s); err != nil || !recorded {
		t.Fatalf("Follow = %t, %v", recorded, err)
	}
	if s.end.Outcome != v1alpha1.AttemptUnknown || s.end.ErrorClass != v1alpha1.ErrorInterrupted {
		t.Errorf("recorded is %+v", s.end)
	}
}

func TestAnOutcomeIsKeptUntilItIsWritten(t *testing.T) {
	e, s := newEngine(1), newSubject("a")
	ended := make(chan types.NamespacedName, 1)
	e.Calls.Notify(func(key types.NamespacedName) { ended <- key })
	if _, err := e.Start(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	<-ended
	s.refused = errors.New("the answer was lost")
	if _, _, err := e.Follow(t.Context(), s); !errors.Is(err, s.refused) {
		t.Fatalf("err = %v", err)
	}
	s.refused = nil
	if _, _, err := e.Follow(t.Context(), s); err != nil || s.end.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("recorded is %s, %v", s.end.Outcome, err)
	}
	e.Calls.Forget(s.attempt)
	if _, state := e.Calls.Look(s.attempt); state != inflight.Unknown {
		t.Error("the outcome stays in memory although status holds it")
	}
}
