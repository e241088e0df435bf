package lifecycle_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// connected is a site whose test is asked for by this nonce.
func connected(nonce string) *v1alpha1.Site {
	s := &v1alpha1.Site{}
	s.Annotations = map[string]string{v1alpha1.TestConnectionAnnotation: nonce}
	return s
}

func TestNextForSite(t *testing.T) {
	tested := func(s *v1alpha1.Site, o v1alpha1.AttemptOutcome) *v1alpha1.Site {
		lifecycle.BeginTest(s, "hash", lifecycle.AttemptID{ID: "1"}, now)
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
		{name: "somebody asks", site: connected("n"), want: lifecycle.StartTest},
		{name: "a connection that cannot be tested", site: connected("n"), untestable: true, want: lifecycle.Wait},
		{name: "a site that goes away", site: leaving, want: lifecycle.Wait},
		{name: "in progress", site: tested(connected("n"), v1alpha1.AttemptInProgress), want: lifecycle.FollowTest},
		{name: "in progress, and a new nonce", site: asksAgain(tested(connected("n"), v1alpha1.AttemptInProgress)), want: lifecycle.FollowTest},
		{name: "accepted", site: tested(connected("n"), v1alpha1.AttemptAccepted), want: lifecycle.Wait},
		{name: "failed", site: tested(connected("n"), v1alpha1.AttemptTimeout), want: lifecycle.Wait},
		{name: "nobody knows", site: tested(connected("n"), v1alpha1.AttemptUnknown), want: lifecycle.Wait},
		{name: "failed, and somebody asks again", site: asksAgain(tested(connected("n"), v1alpha1.AttemptTimeout)), want: lifecycle.StartTest},
	} {
		if got := lifecycle.NextForSite(tt.site, lifecycle.Testing{Possible: !tt.untestable, Hash: "other"}).Step; got != tt.want {
			t.Errorf("%s: the next step is %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWhatATestTells(t *testing.T) {
	want := func(outcome v1alpha1.AttemptOutcome, wantStatus metav1.ConditionStatus, wantReason string) {
		t.Helper()
		s := connected("n")
		lifecycle.BeginTest(s, "hash", lifecycle.AttemptID{ID: "1"}, now)
		if outcome != v1alpha1.AttemptInProgress {
			lifecycle.EndTest(s, ended(outcome))
		}
		status, reason, message := lifecycle.Tested(s, "hash")
		if status != wantStatus || reason != wantReason || message == "" {
			t.Errorf("%s: %s/%s %q, want %s/%s", outcome, status, reason, message, wantStatus, wantReason)
		}
		wantStatus, wantReason = metav1.ConditionUnknown, v1alpha1.ReasonNotTested
		if outcome == v1alpha1.AttemptInProgress {
			wantReason = v1alpha1.ReasonTesting
		}
		if status, reason, _ := lifecycle.Tested(s, "other"); status != wantStatus || reason != wantReason {
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
	if status, reason, _ := lifecycle.Tested(connected(""), "hash"); status != metav1.ConditionUnknown || reason != v1alpha1.ReasonNotTested {
		t.Errorf("before any test: %s/%s", status, reason)
	}
}
