package lifecycle_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestTheSiteApprovesNothingThatFailsAGate(t *testing.T) {
	approve := func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: digestA, By: "mara"}
	}
	reject := func(a *v1alpha1.Article) {
		approve(a)
		a.Spec.Review.Decision = v1alpha1.DecisionRejected
	}
	for _, c := range []struct {
		name     string
		policy   v1alpha1.ReviewPolicy
		gates    []string
		score    int32
		least    int32
		review   func(*v1alpha1.Article)
		want     string
		wantStep lifecycle.Step
	}{
		{"a good text", v1alpha1.ReviewAutomatic, nil, 80, 80, nil, "True/Automatic", lifecycle.BeginCycle},
		{"a text in another language", v1alpha1.ReviewAutomatic, []string{"language"}, 80, 0, nil, "False/GateFailed", lifecycle.Wait},
		{"a low score", v1alpha1.ReviewAutomatic, nil, 79, 80, nil, "False/GateFailed", lifecycle.Wait},
		{"approved anyway", v1alpha1.ReviewAutomatic, []string{"language"}, 10, 80, approve, "True/Approved", lifecycle.BeginCycle},
		{"rejected", v1alpha1.ReviewAutomatic, nil, 80, 0, reject, "False/Rejected", lifecycle.Wait},
		{"a person reviews", v1alpha1.ReviewManual, []string{"language"}, 10, 80, nil, "False/AwaitingReview", lifecycle.Wait},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, s := article(stage(v1alpha1.StagePublished), generated), site(c.policy)
			s.Spec.Review.MinimumScore = c.least
			a.Status.Revision.FailedGates, a.Status.Revision.SEOScore = c.gates, c.score
			if c.review != nil {
				c.review(a)
			}
			lifecycle.Summarize(a, s, lifecycle.Target{}, now, lifecycle.Blockers{})
			got := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
			if string(got.Status)+"/"+got.Reason != c.want {
				t.Errorf("Approved is %s/%s (%s), want %s", got.Status, got.Reason, got.Message, c.want)
			}
			if got.Reason == v1alpha1.ReasonGateFailed && c.gates != nil && !strings.Contains(got.Message, c.gates[0]) {
				t.Errorf("the message %q does not name the gate", got.Message)
			}
			ready := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady)
			if got.Reason == v1alpha1.ReasonGateFailed && (ready.Status != metav1.ConditionTrue || ready.Reason != v1alpha1.ReasonAwaitingReview) {
				t.Errorf("Ready is %s/%s, want it to wait for a reviewer", ready.Status, ready.Reason)
			}
			if step := lifecycle.Next(a, s, to(lifecycle.Push), now).Step; step != c.wantStep {
				t.Errorf("the next step is %s, want %s", step, c.wantStep)
			}
		})
	}
}
