package lifecycle_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

func TestAwaits(t *testing.T) {
	unpublished := func(reason string) with { return condition(v1alpha1.ConditionPublished, metav1.ConditionFalse, reason) }
	ungenerated := func(reason string) with { return condition(v1alpha1.ConditionGenerated, metav1.ConditionFalse, reason) }
	for _, row := range []struct {
		name   string
		change with
		need   conditions.Need
		want   bool
	}{
		{"nothing in status", func(*v1alpha1.Article) {}, conditions.NeedAccount, false},
		{"no credit", ungenerated(v1alpha1.ReasonInsufficientCredits), conditions.NeedAccount, true},
		{"no credit is no Secret", ungenerated(v1alpha1.ReasonInsufficientCredits), conditions.NeedSecret, false},
		{"no ledger", ungenerated(v1alpha1.ReasonLedgerMissing), conditions.NeedAccount, true},
		{"a day's limit, which the account can raise", ungenerated(v1alpha1.ReasonDailyLimitReached), conditions.NeedAccount, true},
		{"a Secret of the generator", ungenerated(v1alpha1.ReasonInvalidSecret), conditions.NeedSecret, true},
		{"a Secret of the receiver", unpublished(v1alpha1.ReasonSecretNotFound), conditions.NeedSecret, true},
		{"a suspended run", ungenerated(v1alpha1.ReasonSuspended), conditions.NeedResume, true},
		{"a suspended delivery", unpublished(v1alpha1.ReasonSuspended), conditions.NeedResume, true},
		{"a revision that a restored site does not take", condition(v1alpha1.ConditionApproved, metav1.ConditionFalse, v1alpha1.ReasonSuspended), conditions.NeedResume, true},
		{"a redelivery", func(a *v1alpha1.Article) {
			publication(isPublished)(a)
			a.Status.Conditions = append(a.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionRedelivered, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonSecretNotFound,
			})
		}, conditions.NeedSecret, true},
	} {
		if got := lifecycle.Awaits(article(row.change), row.need); got != row.want {
			t.Errorf("%s: %t, want %t", row.name, got, row.want)
		}
	}
}

// An article whose Site was repaired would be Stalled until a slot is free.
func TestTheWaitForASlotReplacesARequestThatWasInvalid(t *testing.T) {
	for _, reason := range []string{v1alpha1.ReasonInvalidRequest, v1alpha1.ReasonRequestRepeated, v1alpha1.ReasonSecretNotFound} {
		a := article()
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: reason}})
		if !lifecycle.GenerationBlocked(a) {
			t.Errorf("a run that waits for a slot would leave %s in status", reason)
		}
	}
	a := article()
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonInsufficientCredits}})
	if lifecycle.GenerationBlocked(a) {
		t.Error("a run that waits for a slot hides that there is no credit")
	}
}
