package lifecycle_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Pages make their sentences of these data, in the person's time zone.
func TestWhyAnArticleIsInItsPhase(t *testing.T) {
	minute, hour := now.Add(time.Minute), now.Add(time.Hour)
	sent := func(state deliveryState, more ...with) []with {
		return append([]with{approvedAndAsked, publication(state)}, more...)
	}
	noImage := lifecycle.Blockers{Content: &lifecycle.BlockedError{Reason: v1alpha1.ReasonImageUnavailable, Message: "no host"}}
	const mara, answered = "mara@acme.example", "the receiver answered 500"
	for _, row := range []struct {
		name    string
		changes []with
		found   lifecycle.Blockers
		site    *v1alpha1.Site
		want    lifecycle.Explanation
	}{
		{name: "in review, approved by one of two", changes: []with{generated, approval("jo", digestA)}, site: asks(2),
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonAwaitingApprovals, Detail: "1 of 2 approvals: jo"}},
		{name: "approved by two", changes: []with{generated, approval("jo", digestA), review(v1alpha1.DecisionApproved, digestA)}, site: asks(2),
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonApproved, Cause: v1alpha1.ReasonNotRequested, By: mara}},
		{name: "approved by the entries, since the site asks for fewer", changes: []with{generated, approval("jo", digestA)}, site: asks(1),
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonApproved, Cause: v1alpha1.ReasonNotRequested, By: "jo"}},
		{name: "in review", changes: []with{generated},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonAwaitingReview}},
		{name: "in review again", changes: []with{generated, review(v1alpha1.DecisionApproved, digestB)},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonAwaitingReview, Cause: v1alpha1.ReasonContentChanged}},
		{name: "rejected", changes: []with{generated, review(v1alpha1.DecisionRejected, digestA), note("No sources.")},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonRejected, By: mara, Detail: "No sources."}},
		{name: "approved", changes: []with{generated, review(v1alpha1.DecisionApproved, digestA)},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonApproved, Cause: v1alpha1.ReasonNotRequested, By: mara}},
		{name: "scheduled", changes: []with{approvedAndAsked, publishAfter(hour)},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonScheduled, Time: hour}},
		{name: "the month's budget is reached", found: lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonBudgetReached}},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonBudgetReached, Time: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}},
		{name: "the day's limit is reached", found: lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonDailyLimitReached}},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonDailyLimitReached, Time: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}},
		{name: "waiting for the retry of its run", changes: []with{run(v1alpha1.RunRetryScheduled)},
			want: lifecycle.Explanation{
				Reason: v1alpha1.ReasonRetryScheduled, Cause: v1alpha1.ReasonTimeout, Attempt: 1, MaxAttempts: 5, Time: minute, Detail: "no answer",
			}},
		{name: "whose run failed for good", changes: []with{run(v1alpha1.RunFailed)},
			want: lifecycle.Explanation{
				Reason: v1alpha1.ReasonGenerationFailed, Cause: v1alpha1.ReasonTimeout, Attempt: 1, MaxAttempts: 5, Detail: "no answer",
			}},
		{name: "waiting for the retry of its delivery", changes: sent(retryScheduled),
			want: lifecycle.Explanation{
				Reason: v1alpha1.ReasonRetryScheduled, Attempt: 1, MaxAttempts: 4, Time: minute, Detail: answered, By: mara,
			}},
		{name: "not delivered, for good", changes: sent(hasFailed),
			want: lifecycle.Explanation{
				Reason: v1alpha1.ReasonDeliveryFailed, Cause: v1alpha1.ReasonExhausted, Attempt: 1, MaxAttempts: 4, Detail: answered,
			}},
		{name: "whose delivery was cancelled", changes: sent(isCancelled, stage(v1alpha1.StageReview)),
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonApproved, Cause: v1alpha1.ReasonSiteUncertain, By: mara}},
		{name: "published", changes: sent(isPublished),
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonDelivered, Attempt: 1, MaxAttempts: 4}},
		{name: "published, and edited since", changes: sent(isPublished, content("T", "Other.")),
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonDelivered, Cause: v1alpha1.ReasonUpdatesFrozen, Attempt: 1, MaxAttempts: 4}},
		{name: "written, with an image that cannot be fetched", changes: []with{content("T", "Text.")}, found: noImage,
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonImageUnavailable, Detail: "no host"}},
		{name: "a draft with such an image", changes: []with{content("T", "Text."), stage(v1alpha1.StageDraft)}, found: noImage,
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonImageUnavailable, Detail: "no host"}},
		{name: "rejected, and then given such an image", changes: []with{written, review(v1alpha1.DecisionRejected, digestA), content("T", "Other.")}, found: noImage,
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonImageUnavailable, Detail: "no host"}},
		{name: "whose revision is refused", changes: []with{content("T", "Text.")},
			found: lifecycle.Blockers{Content: &lifecycle.BlockedError{Reason: v1alpha1.ReasonRevisionRefused, Message: "exceeded quota"}},
			want:  lifecycle.Explanation{Reason: v1alpha1.ReasonRevisionRefused}},
		{name: "archived with such an image", changes: []with{content("T", "Text."), stage(v1alpha1.StageArchived)}, found: noImage,
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonArchived}},
		{name: "archived", changes: []with{generated, stage(v1alpha1.StageArchived)},
			want: lifecycle.Explanation{Reason: v1alpha1.ReasonArchived}},
	} {
		a := article(row.changes...)
		at := cmp.Or(row.site, site(v1alpha1.ReviewManual))
		lifecycle.Summarize(a, at, lifecycle.Target{}, now, row.found)
		if got := lifecycle.Explain(a, at, now); got != row.want {
			t.Errorf("%s:\n got %+v\nwant %+v", row.name, got, row.want)
		}
	}
}

func TestNothingIsExplainedThatTheControllerHasNotSeen(t *testing.T) {
	a := article(generated)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	a.Generation++
	if got := lifecycle.Explain(a, site(v1alpha1.ReviewManual), now); got != (lifecycle.Explanation{}) {
		t.Errorf("it is explained by %+v", got)
	}
}
