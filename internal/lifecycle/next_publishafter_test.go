package lifecycle_test

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// A time that was stored before admission refused it, and that nobody can read, is not "now".
func TestAnArticleWhoseTimeCannotBeReadIsNotPublished(t *testing.T) {
	for _, row := range []struct {
		stored      string
		wantStep    lifecycle.Step
		wantReason  string
		wantMessage string
	}{
		{`"2026-11-20t11:00:00z"`, lifecycle.BeginCycle, v1alpha1.ReasonProgressing, "slot"},
		{`"2099-12-01t09:00:00z"`, lifecycle.Wait, v1alpha1.ReasonScheduled, "2099-12-01T09:00:00Z"},
		{`"9999-12-31T23:59:59-23:59"`, lifecycle.Wait, v1alpha1.ReasonScheduled, "which is no time"},
		{`"tomorrow"`, lifecycle.Wait, v1alpha1.ReasonScheduled, "which is no time"},
	} {
		a := article(approvedAndAsked)
		a.Spec.PublishAfter = &v1alpha1.Time{}
		if err := json.Unmarshal([]byte(row.stored), a.Spec.PublishAfter); err != nil {
			t.Fatalf("%s: %v", row.stored, err)
		}
		s := site(v1alpha1.ReviewManual)
		if got := lifecycle.Next(a, s, to(lifecycle.Push), now); got.Step != row.wantStep {
			t.Errorf("%s: the step is %s, want %s", row.stored, got.Step, row.wantStep)
		}
		lifecycle.Summarize(a, s, lifecycle.Target{}, now, lifecycle.Blockers{})
		c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished)
		if c.Reason != row.wantReason || !strings.Contains(c.Message, row.wantMessage) {
			t.Errorf("%s: Published is %s, %q; want %s, %q", row.stored, c.Reason, c.Message, row.wantReason, row.wantMessage)
		}
	}
}
