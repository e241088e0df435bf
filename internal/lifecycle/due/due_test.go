package due_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
)

var (
	now     = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	digestA = "sha256:" + strings.Repeat("a", 64)
	manual  = &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewManual}}}
)

// with changes an article.
type with func(*v1alpha1.Article)

func article(changes ...with) *v1alpha1.Article {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Name: "shoes", Generation: 3, Annotations: map[string]string{}},
		Spec:       v1alpha1.ArticleSpec{Stage: v1alpha1.StageReview, Generate: &v1alpha1.GenerateRequest{Keyword: "shoes"}},
	}
	for _, change := range changes {
		change(a)
	}
	return a
}

func annotation(name string) with { return func(a *v1alpha1.Article) { a.Annotations[name] = "n" } }

func publishAfter(at time.Time) with {
	return func(a *v1alpha1.Article) { a.Spec.PublishAfter = &v1alpha1.Time{Time: at} }
}

func condition(kind string, status metav1.ConditionStatus, reason string) with {
	return func(a *v1alpha1.Article) {
		a.Status.Conditions = append(a.Status.Conditions, metav1.Condition{Type: kind, Status: status, Reason: reason})
	}
}

// run is the last run, whose retry has been due for a second.
func run(state v1alpha1.RunState) with {
	return func(a *v1alpha1.Article) {
		a.Status.Run = &v1alpha1.GenerationRun{
			State: state, RequestHash: lifecycle.RequestHash(a.Spec.Generate), NextAttemptTime: new(v1alpha1.NewMicroTime(now.Add(-time.Second))),
		}
	}
}

func generated(a *v1alpha1.Article) {
	run(v1alpha1.RunSucceeded)(a)
	a.Status.Revision = &v1alpha1.CurrentRevision{Number: 1, Digest: digestA, Source: v1alpha1.SourceGenerated}
}

func approved(a *v1alpha1.Article) {
	generated(a)
	a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: digestA}
}

func approvedAndAsked(a *v1alpha1.Article) {
	approved(a)
	a.Spec.Stage = v1alpha1.StagePublished
}

// sent is the current revision after an attempt to send it, whose retry has been due for a second.
func sent(state v1alpha1.CycleState, outcome v1alpha1.AttemptOutcome) with {
	return func(a *v1alpha1.Article) {
		revision := &v1alpha1.PublicationRevision{Number: 1, Digest: digestA}
		p := &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostUncertain}}
		if state == v1alpha1.CycleAccepted {
			p.Post = v1alpha1.SitePost{State: v1alpha1.PostPresent, Revision: revision}
		}
		p.Cycle = &v1alpha1.DeliveryCycle{Number: 1, Purpose: v1alpha1.PurposePut, Revision: revision, State: state}
		if state == v1alpha1.CycleRetryScheduled {
			p.Cycle.NextAttemptTime = new(v1alpha1.NewMicroTime(now.Add(-time.Second)))
		}
		p.Attempts = []v1alpha1.DeliveryAttempt{{Cycle: 1, Number: 1, AttemptResult: v1alpha1.AttemptResult{Outcome: outcome}}}
		a.Status.Publication = p
	}
}

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
		{"a retry's, at its time", []with{run(v1alpha1.RunRetryScheduled)}, now.Add(-time.Second)},
		{"a regeneration's is unknown", []with{run(v1alpha1.RunSucceeded), annotation(v1alpha1.RegenerateAnnotation)}, time.Time{}},
	} {
		a := article(row.changes...)
		a.CreationTimestamp = metav1.NewTime(created)
		if got := due.Run(a); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestWhenAPublicationBecameDue(t *testing.T) {
	made, approvedAt, scheduled := now.Add(-3*time.Minute), now.Add(-2*time.Minute), now.Add(-time.Minute)
	revised := func(a *v1alpha1.Article) { a.Status.Revision.CreationTime = v1alpha1.NewMicroTime(made) }
	approvedThen := func(a *v1alpha1.Article) {
		condition(v1alpha1.ConditionApproved, metav1.ConditionTrue, v1alpha1.ReasonApproved)(a)
		a.Status.Conditions[0].LastTransitionTime = metav1.NewTime(approvedAt)
	}
	observed := func(a *v1alpha1.Article) { a.Status.ObservedGeneration = a.Generation }
	unpublished := func(reason string) with { return condition(v1alpha1.ConditionPublished, metav1.ConditionFalse, reason) }
	for _, row := range []struct {
		name    string
		changes []with
		want    time.Time
	}{
		{"with the revision that is approved already", []with{approvedAndAsked, revised}, made},
		{"with the approval", []with{approvedAndAsked, revised, approvedThen}, approvedAt},
		{"at publishAfter", []with{approvedAndAsked, revised, approvedThen, publishAfter(scheduled)}, scheduled},
		{"a retry, at its time", []with{approvedAndAsked, sent(v1alpha1.CycleRetryScheduled, v1alpha1.AttemptRejected)}, now.Add(-time.Second)},
		{"scheduled, at publishAfter", []with{approvedAndAsked, revised, approvedThen, publishAfter(scheduled), observed, unpublished(v1alpha1.ReasonScheduled)}, scheduled},
		{"moved to now is unknown", []with{approvedAndAsked, revised, approvedThen, publishAfter(scheduled), unpublished(v1alpha1.ReasonScheduled)}, time.Time{}},
		{"just approved is unknown", []with{approvedAndAsked, revised, unpublished(v1alpha1.ReasonNotApproved)}, time.Time{}},
		{"asked for long after the approval is unknown", []with{approvedAndAsked, revised, approvedThen, unpublished(v1alpha1.ReasonNotRequested)}, time.Time{}},
		{"blocked until now is unknown", []with{approvedAndAsked, revised, approvedThen, observed, unpublished(v1alpha1.ReasonSecretNotFound)}, time.Time{}},
		{"waiting for a slot, with the approval", []with{approvedAndAsked, revised, approvedThen, observed, unpublished(v1alpha1.ReasonProgressing)}, approvedAt},
		{"a redelivery is unknown", []with{
			approvedAndAsked, sent(v1alpha1.CycleAccepted, v1alpha1.AttemptAccepted), annotation(v1alpha1.RedeliverAnnotation),
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
		{"approved, and not asked for", []with{approved}, time.Time{}},
		{"planned for later", []with{approvedAndAsked, publishAfter(now.Add(time.Hour))}, time.Time{}},
		{"due", []with{approvedAndAsked}, made},
		{"due since a planned time", []with{approvedAndAsked, publishAfter(now.Add(-time.Minute))}, now.Add(-time.Minute)},
		{"being sent", []with{approvedAndAsked, sent(v1alpha1.CycleInProgress, v1alpha1.AttemptInProgress)}, made},
		{"before its retry", []with{approvedAndAsked, sent(v1alpha1.CycleRetryScheduled, v1alpha1.AttemptRejected)}, made},
		{"accepted", []with{approvedAndAsked, sent(v1alpha1.CycleAccepted, v1alpha1.AttemptAccepted)}, time.Time{}},
		{"failed", []with{approvedAndAsked, sent(v1alpha1.CycleFailed, v1alpha1.AttemptRejected)}, time.Time{}},
		{"blocked", []with{approvedAndAsked}, made},
	} {
		a := article(append(row.changes, revised)...)
		blockers := lifecycle.Blockers{}
		if row.name == "blocked" {
			blockers.Publication = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "no Secret"}
		}
		for _, at := range []time.Time{made, now} {
			lifecycle.Summarize(a, manual, lifecycle.Target{}, at, blockers)
		}
		if got := due.WaitsSince(a, manual, now); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestARunThatWasBlockedHasNoDueTime(t *testing.T) {
	for _, reason := range []string{v1alpha1.ReasonSiteNotFound, v1alpha1.ReasonInvalidRequest, v1alpha1.ReasonInsufficientCredits} {
		a := article(condition(v1alpha1.ConditionGenerated, metav1.ConditionFalse, reason))
		a.Generation, a.CreationTimestamp = 1, metav1.NewTime(now)
		if got := due.Run(a); !got.IsZero() {
			t.Errorf("%s: %v, want no time", reason, got)
		}
	}
}
