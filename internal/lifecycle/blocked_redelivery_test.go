package lifecycle_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

var errNoSecret = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}

// The condition Published is True all the while: its message and the condition Redelivered report the redelivery.
func TestARedeliveryIsReported(t *testing.T) {
	const delivered = "accepted by the receiver"
	const waits = delivered + "; a redelivery waits: the Secret is missing"
	headless := site(v1alpha1.ReviewManual)
	published := func() *v1alpha1.Article {
		a := article(approvedAndAsked, publication(isPublished), annotation(v1alpha1.RedeliverAnnotation, "again"))
		lifecycle.Summarize(a, headless, lifecycle.Target{}, now, lifecycle.Blockers{Publication: errNoSecret})
		return a
	}
	for _, row := range []struct {
		name        string
		change      with
		found       *lifecycle.BlockedError
		wantMessage string
		want        string
	}{
		{"when it is found", func(*v1alpha1.Article) {}, errNoSecret, waits, "False/SecretNotFound"},
		{"also by a reconcile that did not look for it", func(*v1alpha1.Article) {}, nil, waits, "False/SecretNotFound"},
		{"not when it waits for a slot alone", func(*v1alpha1.Article) {}, lifecycle.NoSlotAtReceiver(), delivered, ""},
		{"not when nobody asks any more", annotation(v1alpha1.RedeliverAnnotation, ""), nil, delivered, ""},
		{"when it is in progress", func(a *v1alpha1.Article) {
			begin(a, cycles.AttemptID{ID: "1"}, true, now)
		}, nil, delivered + "; a redelivery is in progress", "False/Delivering"},
		{"when it waits for its retry", func(a *v1alpha1.Article) {
			a.Status.Conditions = nil
			command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
			redeliveryWaits(a)
			makeDue(a)
		}, nil, delivered + "; a redelivery waits for its retry", "False/RetryScheduled"},
		{"also for its retry", func(a *v1alpha1.Article) {
			command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
			redeliveryWaits(a)
			makeDue(a)
		}, errNoSecret, waits, "False/SecretNotFound"},
		{"not once it has failed", func(a *v1alpha1.Article) {
			begin(a, cycles.AttemptID{ID: "1"}, true, now)
			end(a, cycles.End{Final: true}, cycles.Schedule{}, now)
		}, nil, delivered + "; the last redelivery failed: ", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := published()
			row.change(a)
			lifecycle.Summarize(a, headless, lifecycle.Target{}, now, lifecycle.Blockers{Publication: row.found})
			for _, kind := range []string{v1alpha1.ConditionPublished, v1alpha1.ConditionReady} {
				if got := conditionOf(a, kind); got != "True/Delivered" {
					t.Errorf("%s = %s, want True/Delivered", kind, got)
				}
				if got := meta.FindStatusCondition(a.Status.Conditions, kind).Message; got != row.wantMessage {
					t.Errorf("%s says %q, want %q", kind, got, row.wantMessage)
				}
			}
			if got := conditionOf(a, v1alpha1.ConditionRedelivered); got != row.want {
				t.Errorf("Redelivered = %q, want %q", got, row.want)
			}
			if got, want := lifecycle.PublicationBlocked(a), row.want == "False/SecretNotFound"; got != want {
				t.Errorf("blocked: %t, want %t", got, want)
			}
		})
	}
}

// Every request that was sent is one of the attempts, also once the Site pulls.
func TestTheAttemptsStayWhenTheSiteBecomesOneThatPulls(t *testing.T) {
	a := article(approvedAndAsked)
	begin(a, cycles.AttemptID{ID: "1"}, true, now)
	failed := cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptRejected, HTTPStatus: 503}}
	end(a, failed, cycles.Schedule{}, now)
	record.ByPull(a, lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, nil)}, postName, now)
	if sent := a.Status.Publication.Attempts; len(sent) != 1 || sent[0].HTTPStatus != 503 || !lifecycle.Published(a) {
		t.Errorf("the attempts are %+v", sent)
	}
}
