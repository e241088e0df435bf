package connectiontest_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func ended(o v1alpha1.AttemptOutcome) cycles.End {
	return cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: o, Message: "m"}}
}

// connected is a site whose test is asked for by this nonce.
func connected(nonce string) *v1alpha1.Site {
	s := &v1alpha1.Site{}
	s.Annotations = map[string]string{v1alpha1.TestConnectionAnnotation: nonce}
	return s
}

func TestNext(t *testing.T) {
	tested := func(s *v1alpha1.Site, o v1alpha1.AttemptOutcome) *v1alpha1.Site {
		connectiontest.Begin(s, "hash", cycles.AttemptID{ID: "1"}, now)
		s.Status.ConnectionTest.Outcome = o
		return s
	}
	asksAgain := func(s *v1alpha1.Site) *v1alpha1.Site {
		s.Annotations[v1alpha1.TestConnectionAnnotation] = "another"
		return s
	}
	leaving := connected("n")
	leaving.DeletionTimestamp = &metav1.Time{Time: now}
	for _, tt := range []struct {
		name       string
		site       *v1alpha1.Site
		untestable bool
		want       lifecycle.Step
	}{
		{name: "nobody asks", site: connected(""), want: lifecycle.Wait},
		{name: "somebody asks", site: connected("n"), want: connectiontest.Start},
		{name: "a connection that cannot be tested", site: connected("n"), untestable: true, want: lifecycle.Wait},
		{name: "a site that goes away", site: leaving, want: lifecycle.Wait},
		{name: "in progress", site: tested(connected("n"), v1alpha1.AttemptInProgress), want: connectiontest.Follow},
		{name: "in progress, and a new nonce", site: asksAgain(tested(connected("n"), v1alpha1.AttemptInProgress)), want: connectiontest.Follow},
		{name: "accepted", site: tested(connected("n"), v1alpha1.AttemptAccepted), want: lifecycle.Wait},
		{name: "failed", site: tested(connected("n"), v1alpha1.AttemptTimeout), want: lifecycle.Wait},
		{name: "nobody knows", site: tested(connected("n"), v1alpha1.AttemptUnknown), want: lifecycle.Wait},
		{name: "failed, and somebody asks again", site: asksAgain(tested(connected("n"), v1alpha1.AttemptTimeout)), want: connectiontest.Start},
	} {
		if got := connectiontest.Next(tt.site, connectiontest.Testing{Possible: !tt.untestable, Hash: "other"}).Step; got != tt.want {
			t.Errorf("%s: the next step is %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWhatATestTells(t *testing.T) {
	want := func(outcome v1alpha1.AttemptOutcome, wantStatus metav1.ConditionStatus, wantReason string) {
		t.Helper()
		s := connected("n")
		connectiontest.Begin(s, "hash", cycles.AttemptID{ID: "1"}, now)
		if outcome != v1alpha1.AttemptInProgress {
			connectiontest.End(s, ended(outcome))
		}
		status, reason, message := connectiontest.Connected(s, "hash")
		if status != wantStatus || reason != wantReason || message == "" {
			t.Errorf("%s: %s/%s %q, want %s/%s", outcome, status, reason, message, wantStatus, wantReason)
		}
		wantStatus, wantReason = metav1.ConditionUnknown, v1alpha1.ReasonNotTested
		if outcome == v1alpha1.AttemptInProgress {
			wantReason = v1alpha1.ReasonTesting
		}
		if status, reason, _ := connectiontest.Connected(s, "other"); status != wantStatus || reason != wantReason {
			t.Errorf("%s, and a change of the connection: %s/%s, want %s/%s", outcome, status, reason, wantStatus, wantReason)
		}
	}
	want(v1alpha1.AttemptInProgress, metav1.ConditionUnknown, v1alpha1.ReasonTesting)
	want(v1alpha1.AttemptAccepted, metav1.ConditionTrue, v1alpha1.ReasonReceiverAccepted)
	want(v1alpha1.AttemptRejected, metav1.ConditionFalse, v1alpha1.ReasonReceiverRejected)
	want(v1alpha1.AttemptTimeout, metav1.ConditionFalse, v1alpha1.ReasonTimeout)
	want(v1alpha1.AttemptConnectionFailed, metav1.ConditionFalse, v1alpha1.ReasonConnectionFailed)
	want(v1alpha1.AttemptAddressBlocked, metav1.ConditionFalse, v1alpha1.ReasonAddressBlocked)
	want(v1alpha1.AttemptNotSent, metav1.ConditionUnknown, v1alpha1.ReasonNotTested)
	want(v1alpha1.AttemptUnknown, metav1.ConditionUnknown, v1alpha1.ReasonOutcomeUnknown)
	if status, reason, _ := connectiontest.Connected(connected(""), "hash"); status != metav1.ConditionUnknown || reason != v1alpha1.ReasonNotTested {
		t.Errorf("before any test: %s/%s", status, reason)
	}
}

func TestASiteThatChangesIsTestedByItselfOnce(t *testing.T) {
	by := cycles.AttemptID{ID: "1"}
	next := func(s *v1alpha1.Site, hash string) lifecycle.Step {
		return connectiontest.Next(s, connectiontest.Testing{Possible: true, Hash: hash, OnChange: true}).Step
	}
	want := func(what string, got, want lifecycle.Step) {
		t.Helper()
		if got != want {
			t.Errorf("%s: the next step is %s, want %s", what, got, want)
		}
	}
	s := connected("")
	want("never tested", next(s, "a"), connectiontest.Start)
	connectiontest.Begin(s, "a", by, now)
	want("in progress", next(s, "a"), connectiontest.Follow)
	want("in progress, and changed", next(s, "b"), connectiontest.Follow)
	connectiontest.End(s, ended(v1alpha1.AttemptTimeout))
	want("failed", next(s, "a"), lifecycle.Wait)
	want("changed", next(s, "b"), connectiontest.Start)
	if connectiontest.Requested(s) {
		t.Error("somebody asks for a test, and nobody has")
	}
	s.Annotations[v1alpha1.TestConnectionAnnotation] = "n"
	want("somebody asks", next(s, "a"), connectiontest.Start)
	connectiontest.Begin(s, "a", by, now)
	connectiontest.End(s, ended(v1alpha1.AttemptAccepted))
	connectiontest.Begin(s, "b", by, now) // by itself
	connectiontest.End(s, ended(v1alpha1.AttemptAccepted))
	want("the nonce was handled before the last test", next(s, "b"), lifecycle.Wait)
	delete(s.Annotations, v1alpha1.TestConnectionAnnotation)
	connectiontest.Begin(s, "c", by, now)
	connectiontest.End(s, ended(v1alpha1.AttemptAccepted))
	s.Annotations[v1alpha1.TestConnectionAnnotation] = "n"
	want("the nonce was handled long before, and comes back", next(s, "c"), lifecycle.Wait)
}

func TestConnectedSaysWhatACMSAnswered(t *testing.T) {
	s := connected("n")
	connectiontest.Begin(s, "hash", cycles.AttemptID{ID: "1"}, now)
	for _, class := range []v1alpha1.ErrorClass{
		v1alpha1.ErrorWrongCredentials, v1alpha1.ErrorMissingPermission, v1alpha1.ErrorNotFound, v1alpha1.ErrorInvalidContent,
		v1alpha1.ErrorRateLimited, v1alpha1.ErrorUnavailable, v1alpha1.ErrorUnexpectedAnswer,
	} {
		failed := ended(v1alpha1.AttemptRejected)
		failed.ErrorClass = class
		connectiontest.End(s, failed)
		if status, reason, message := connectiontest.Connected(s, "hash"); status != metav1.ConditionFalse || reason != string(class) || message != "m" {
			t.Errorf("%s: %s/%s %q", class, status, reason, message)
		}
	}
	accepted := ended(v1alpha1.AttemptAccepted)
	connectiontest.End(s, accepted)
	if status, reason, message := connectiontest.Connected(s, "hash"); status != metav1.ConditionTrue || reason != v1alpha1.ReasonReceiverAccepted || message != "m" {
		t.Errorf("accepted: %s/%s %q", status, reason, message)
	}
}
