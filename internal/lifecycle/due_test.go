package lifecycle_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
)

func TestWhenARunBecameDue(t *testing.T) {
	created := now.Add(-time.Hour)
	for _, row := range []struct {
		name    string
		changes []with
		want    time.Time
	}{
		{"a new article's, when it was created", []with{func(a *v1alpha1.Article) { a.Generation = 1 }}, created},
		{"an edited article's is unknown", []with{func(a *v1alpha1.Article) { a.Generation = 2 }}, time.Time{}},
		{"one that waited for credits is unknown", []with{
			func(a *v1alpha1.Article) { a.Generation = 1 },
			condition(v1alpha1.ConditionGenerated, metav1.ConditionFalse, v1alpha1.ReasonInsufficientCredits),
		}, time.Time{}},
		{"a retry's, at its time", []with{run(v1alpha1.RunRetryScheduled), makeDue}, now.Add(-time.Second)},
		{"a regeneration's is unknown", []with{run(v1alpha1.RunSucceeded), annotation(v1alpha1.RegenerateAnnotation, "n")}, time.Time{}},
	} {
		a := article(row.changes...)
		a.CreationTimestamp = metav1.NewTime(created)
		if got := due.Run(a); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestWhenAPublicationBecameDue(t *testing.T) {
	made, approved, scheduled := now.Add(-3*time.Minute), now.Add(-2*time.Minute), now.Add(-time.Minute)
	revised := func(a *v1alpha1.Article) { a.Status.Revision.CreationTime = v1alpha1.NewMicroTime(made) }
	approvedThen := func(a *v1alpha1.Article) {
		condition(v1alpha1.ConditionApproved, metav1.ConditionTrue, v1alpha1.ReasonApproved)(a)
		a.Status.Conditions[0].LastTransitionTime = metav1.NewTime(approved)
	}
	observed := func(a *v1alpha1.Article) { a.Status.ObservedGeneration = a.Generation }
	unpublished := func(reason string) with { return condition(v1alpha1.ConditionPublished, metav1.ConditionFalse, reason) }
	for _, row := range []struct {
		name    string
		changes []with
		want    time.Time
	}{
		{"with the revision that is approved already", []with{approvedAndAsked, revised}, made},
		{"with the approval", []with{approvedAndAsked, revised, approvedThen}, approved},
		{"at publishAfter", []with{approvedAndAsked, revised, approvedThen, publishAfter(scheduled)}, scheduled},
		{"a retry, at its time", []with{approvedAndAsked, publication(retryScheduled), makeDue}, now.Add(-time.Second)},
		{"scheduled, at publishAfter", []with{approvedAndAsked, revised, approvedThen, publishAfter(scheduled), observed, unpublished(v1alpha1.ReasonScheduled)}, scheduled},
		{"moved to now is unknown", []with{approvedAndAsked, revised, approvedThen, publishAfter(scheduled), unpublished(v1alpha1.ReasonScheduled)}, time.Time{}},
		{"just approved is unknown", []with{approvedAndAsked, revised, unpublished(v1alpha1.ReasonNotApproved)}, time.Time{}},
		{"asked for long after the approval is unknown", []with{approvedAndAsked, revised, approvedThen, unpublished(v1alpha1.ReasonNotRequested)}, time.Time{}},
		{"blocked until now is unknown", []with{approvedAndAsked, revised, approvedThen, observed, unpublished(v1alpha1.ReasonSecretNotFound)}, time.Time{}},
		{"waiting for a slot, with the approval", []with{approvedAndAsked, revised, approvedThen, observed, unpublished(v1alpha1.ReasonProgressing)}, approved},
		{"a redelivery is unknown", []with{
			approvedAndAsked, publication(isPublished), annotation(v1alpha1.RedeliverAnnotation, "n"),
		}, time.Time{}},
	} {
		if got := due.Publication(article(row.changes...)); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestSinceWhenAnArticleWaitsToBeDelivered(t *testing.T) {
	made := now.Add(-3 * time.Minute)
	revised := func(a *v1alpha1.Article) {
		if a.Status.Revision != nil {
			a.Status.Revision.CreationTime = v1alpha1.NewMicroTime(made)
		}
	}
	for _, row := range []struct {
		name    string
		changes []with
		want    time.Time
	}{
		{"without a text", nil, time.Time{}},
		{"in review", []with{generated}, time.Time{}},
		{"approved, and not asked for", []with{generated, review(v1alpha1.DecisionApproved, digestA)}, time.Time{}},
		{"planned for later", []with{approvedAndAsked, publishAfter(now.Add(time.Hour))}, time.Time{}},
		{"due", []with{approvedAndAsked}, made},
		{"due since a planned time", []with{approvedAndAsked, publishAfter(now.Add(-time.Minute))}, now.Add(-time.Minute)},
		{"being sent", []with{approvedAndAsked, publication(beingDelivered)}, made},
		{"before its retry", []with{approvedAndAsked, publication(retryScheduled)}, made},
		{"accepted", []with{approvedAndAsked, publication(isPublished)}, time.Time{}},
		{"failed", []with{approvedAndAsked, publication(hasFailed)}, time.Time{}},
		{"blocked", []with{approvedAndAsked}, made},
	} {
		a := article(append(row.changes, revised)...)
		blockers := lifecycle.Blockers{}
		if row.name == "blocked" {
			blockers.Publication = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "no Secret"}
		}
		for _, at := range []time.Time{made, now} {
			lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, at, blockers)
		}
		if got := due.WaitsSince(a, site(v1alpha1.ReviewManual), now); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
