package lifecycle_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// connected is a site with a webhook whose test is asked for by this nonce.
func connected(nonce string) *v1alpha1.Site {
	s := site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual)
	s.Spec.CMS.Headless = &v1alpha1.HeadlessConnection{URL: "https://acme.example/hook"}
	s.Annotations = map[string]string{v1alpha1.TestConnectionAnnotation: nonce}
	return s
}

func TestNextForSite(t *testing.T) {
	tested := func(s *v1alpha1.Site, o v1alpha1.AttemptOutcome) *v1alpha1.Site {
		lifecycle.BeginTest(s, lifecycle.Sender{ID: "1"}, now)
		s.Status.ConnectionTest.Outcome = o
		return s
	}
	asksAgain := func(s *v1alpha1.Site) *v1alpha1.Site {
		s.Annotations[v1alpha1.TestConnectionAnnotation] = "another"
		return s
	}
	pulls := connected("n")
	pulls.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}
	leaving := connected("n")
	leaving.DeletionTimestamp = &metav1.Time{Time: now}
	for _, tt := range []struct {
		name string
		site *v1alpha1.Site
		want lifecycle.Step
	}{
		{"nobody asks", connected(""), lifecycle.Wait},
		{"somebody asks", connected("n"), lifecycle.StartTest},
		{"a site that pulls", pulls, lifecycle.Wait},
		{"a site that goes away", leaving, lifecycle.Wait},
		{"on the wire", tested(connected("n"), v1alpha1.AttemptInProgress), lifecycle.FollowTest},
		{"on the wire, and somebody asks again", asksAgain(tested(connected("n"), v1alpha1.AttemptInProgress)), lifecycle.FollowTest},
		{"accepted", tested(connected("n"), v1alpha1.AttemptAccepted), lifecycle.Wait},
		{"failed", tested(connected("n"), v1alpha1.AttemptTimeout), lifecycle.Wait},
		{"nobody knows", tested(connected("n"), v1alpha1.AttemptUnknown), lifecycle.Wait},
		{"failed, and somebody asks again", asksAgain(tested(connected("n"), v1alpha1.AttemptTimeout)), lifecycle.StartTest},
	} {
		if got := lifecycle.NextForSite(tt.site).Step; got != tt.want {
			t.Errorf("%s: the next step is %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWhatATestTells(t *testing.T) {
	want := func(outcome v1alpha1.AttemptOutcome, wantStatus metav1.ConditionStatus, wantReason string) {
		t.Helper()
		s := connected("n")
		lifecycle.BeginTest(s, lifecycle.Sender{ID: "1"}, now)
		if outcome != v1alpha1.AttemptInProgress {
			lifecycle.EndTest(s, ended(outcome))
		}
		status, reason, message := lifecycle.Tested(s)
		if status != wantStatus || reason != wantReason || message == "" {
			t.Errorf("%s: %s/%s %q, want %s/%s", outcome, status, reason, message, wantStatus, wantReason)
		}
		s.Spec.CMS.Headless.URL = "https://acme.example/other"
		wantStatus, wantReason = metav1.ConditionUnknown, v1alpha1.ReasonNotTested
		if outcome == v1alpha1.AttemptInProgress {
			wantReason = v1alpha1.ReasonTesting
		}
		if status, reason, _ := lifecycle.Tested(s); status != wantStatus || reason != wantReason {
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
	if status, reason, _ := lifecycle.Tested(connected("")); status != metav1.ConditionUnknown || reason != v1alpha1.ReasonNotTested {
		t.Errorf("before any test: %s/%s", status, reason)
	}
}
