package lifecycle_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestDue(t *testing.T) {
	headless := site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual)
	created := now.Add(-time.Hour)
	fresh := func(a *v1alpha1.Article) { a.Generation, a.CreationTimestamp = 1, metav1.NewTime(created) }
	edited := func(a *v1alpha1.Article) { a.CreationTimestamp = metav1.NewTime(created) }
	retried := now.Add(-time.Second)
	redeliver := annotation(v1alpha1.RedeliverAnnotation, "again")
	waits := func(kind, reason string) with { return condition(kind, metav1.ConditionFalse, reason) }
	for _, row := range []struct {
		name      string
		changes   []with
		want      lifecycle.Work
		wantSince time.Time
	}{
		{name: "a new article's run, since it was created", changes: []with{fresh}, want: lifecycle.WorkGeneration, wantSince: created},
		{name: "the run of an edited article, since nobody knows when", changes: []with{edited}, want: lifecycle.WorkGeneration},
		{name: "a run's retry, since its time", changes: []with{run(v1alpha1.RunRetryScheduled), due}, want: lifecycle.WorkGeneration, wantSince: retried},
		{name: "a run in line, since it was created", changes: []with{fresh, waits(v1alpha1.ConditionGenerated, v1alpha1.ReasonQueued)},
			want: lifecycle.WorkGeneration, wantSince: created},
		{name: "no retry before its time", changes: []with{run(v1alpha1.RunRetryScheduled)}},
		{name: "no run that is under way", changes: []with{run(v1alpha1.RunRunning)}},
		{name: "no run that waits for credits", changes: []with{fresh, waits(v1alpha1.ConditionGenerated, v1alpha1.ReasonInsufficientCredits)}},
		{name: "no run that waits for the next day", changes: []with{fresh, waits(v1alpha1.ConditionGenerated, v1alpha1.ReasonDailyLimitReached)}},
		{name: "no run that waits for the model's key", changes: []with{fresh, waits(v1alpha1.ConditionGenerated, v1alpha1.ReasonSecretNotFound)}},

		{name: "an approved article, since nobody knows when", changes: []with{approvedAndAsked}, want: lifecycle.WorkPublication},
		{name: "a delivery's retry, since its time", changes: []with{approvedAndAsked, publication(v1alpha1.PublicationRetryScheduled), due},
			want: lifecycle.WorkPublication, wantSince: retried},
		{name: "no delivery that waits for its secret", changes: []with{approvedAndAsked, waits(v1alpha1.ConditionPublished, v1alpha1.ReasonSecretNotFound)}},
		{name: "a redelivery, since nobody knows when", changes: []with{approvedAndAsked, publication(v1alpha1.PublicationPublished), redeliver},
			want: lifecycle.WorkPublication},
		{name: "no redelivery that waits for its secret", changes: []with{approvedAndAsked, publication(v1alpha1.PublicationPublished), redeliver,
			func(a *v1alpha1.Article) { a.Status.Publication.RedeliveryBlockedReason = v1alpha1.ReasonSecretNotFound }}},
		{name: "no delivery that waits for approval", changes: []with{generated, stage(v1alpha1.StagePublished)}},
		{name: "no delivery that is on the wire", changes: []with{approvedAndAsked, publication(v1alpha1.PublicationDelivering)}},
		{name: "no delivery that has failed", changes: []with{approvedAndAsked, publication(v1alpha1.PublicationFailed)}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, since := lifecycle.Due(article(row.changes...), headless, lifecycle.Push, now)
			if got != row.want || (got != "" && !since.Equal(row.wantSince)) {
				t.Errorf("Due = %q since %v, want %q since %v", got, since, row.want, row.wantSince)
			}
		})
	}
}

// The index of the metrics is kept small by what it leaves out.
func TestArticlesThatAreAtRestMayNotBeDue(t *testing.T) {
	for name, a := range map[string]*v1alpha1.Article{
		"in review":         article(generated),
		"published":         article(approvedAndAsked, publication(v1alpha1.PublicationPublished)),
		"failed to be sent": article(approvedAndAsked, publication(v1alpha1.PublicationFailed)),
		"failed to be made": article(run(v1alpha1.RunFailed)),
	} {
		if lifecycle.MayBeDue(a) {
			t.Errorf("an article that is %s may be due", name)
		}
	}
}

func TestEventDue(t *testing.T) {
	created, at := now.Add(-time.Minute), metav1.NewMicroTime(now.Add(-time.Second))
	later := metav1.NewMicroTime(now.Add(time.Second))
	scheduled := func(due metav1.MicroTime) func(*v1alpha1.EventDelivery) {
		return func(d *v1alpha1.EventDelivery) {
			d.Status.Cycle = &v1alpha1.DeliveryCycle{State: v1alpha1.CycleRetryScheduled, NextAttemptAt: &due}
		}
	}
	for _, row := range []struct {
		name      string
		change    func(*v1alpha1.EventDelivery)
		suspended bool
		want      bool
		wantSince time.Time
	}{
		{name: "a new one, since it was created", want: true, wantSince: created},
		{name: "a retry, since its time", change: scheduled(at), want: true, wantSince: at.Time},
		{name: "no retry before its time", change: scheduled(later)},
		{name: "none of a suspended subscription", suspended: true},
		{name: "none that waits for its secret", change: func(d *v1alpha1.EventDelivery) {
			d.Status.Conditions = []metav1.Condition{{
				Type: v1alpha1.ConditionDelivered, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonInvalidSecret,
			}}
		}},
		{name: "none on the wire", change: func(d *v1alpha1.EventDelivery) {
			d.Status.Cycle = &v1alpha1.DeliveryCycle{State: v1alpha1.CycleDelivering}
			d.Status.Attempts = []v1alpha1.DeliveryAttempt{{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptInProgress}}}
		}},
		{name: "none that has ended", change: func(d *v1alpha1.EventDelivery) { d.Status.EndedAt = &at }},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := &v1alpha1.EventDelivery{
				ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created)}, Spec: v1alpha1.EventDeliverySpec{At: at},
			}
			if row.change != nil {
				row.change(d)
			}
			s := &v1alpha1.EventSubscription{}
			if row.suspended {
				s.Status.Suspension = &v1alpha1.Suspension{}
			}
			got, since := lifecycle.EventDue(d, s, now)
			if got != row.want || got && !since.Equal(row.wantSince) {
				t.Errorf("EventDue = %t since %v, want %t since %v", got, since, row.want, row.wantSince)
			}
		})
	}
}
