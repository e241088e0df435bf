package lifecycle_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

var noSecret = lifecycle.Obstacle{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}

// The condition Published is True all the while: the message and the fact tell of the redelivery.
func TestARedeliveryThatWaitsIsToldOf(t *testing.T) {
	const delivered = "accepted by the receiver"
	const waits = delivered + "; a redelivery waits: the Secret is missing"
	headless := site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual)
	published := func() *v1alpha1.Article {
		a := article(approvedAndAsked, publication(v1alpha1.PublicationPublished), annotation(v1alpha1.RedeliverAnnotation, "again"))
		lifecycle.Summarize(a, headless, now, lifecycle.Obstacles{Publication: noSecret})
		return a
	}
	for _, row := range []struct {
		name        string
		change      with
		found       lifecycle.Obstacle
		wantMessage string
		want        lifecycle.Work
	}{
		{"when it is found", func(*v1alpha1.Article) {}, noSecret, waits, ""},
		{"by whoever looks next", func(*v1alpha1.Article) {}, lifecycle.Obstacle{}, waits, ""},
		{"not when it waits for a place alone", func(*v1alpha1.Article) {}, lifecycle.NoSlotAtReceiver, delivered, lifecycle.WorkPublication},
		{"not when nobody asks any more", annotation(v1alpha1.RedeliverAnnotation, ""), lifecycle.Obstacle{}, delivered, ""},
		{"not when it is on the wire", func(a *v1alpha1.Article) {
			lifecycle.BeginDelivery(a, lifecycle.Sender{ID: "1"}, true, now)
		}, lifecycle.Obstacle{}, delivered + "; a redelivery is on the wire", ""},
		{"also where a retry of it waits", func(a *v1alpha1.Article) {
			a.Status.Publication.Cycle.Nonce = "again"
			redeliveryWaits(a)
			due(a)
		}, noSecret, waits, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := published()
			row.change(a)
			lifecycle.Summarize(a, headless, now, lifecycle.Obstacles{Publication: row.found})
			for _, kind := range []string{v1alpha1.ConditionPublished, v1alpha1.ConditionReady} {
				if got := told(a, kind); got != "True/Delivered" {
					t.Errorf("%s = %s, want True/Delivered", kind, got)
				}
				if got := meta.FindStatusCondition(a.Status.Conditions, kind).Message; got != row.wantMessage {
					t.Errorf("%s says %q, want %q", kind, got, row.wantMessage)
				}
			}
			if work, _ := lifecycle.Due(a, headless, lifecycle.Push, now); work != row.want {
				t.Errorf("due is %q, want %q", work, row.want)
			}
		})
	}
}

// An event is not delivered any more once another delivery of it is asked for, so its condition tells.
func TestAnEventsRedeliveryThatWaitsIsToldOf(t *testing.T) {
	d, s := &v1alpha1.EventDelivery{}, &v1alpha1.EventSubscription{}
	lifecycle.BeginEvent(d, lifecycle.Sender{ID: "1"}, true, now)
	lifecycle.EndEvent(d, ended(v1alpha1.AttemptAccepted), plain, now)
	d.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
	for _, row := range []struct {
		found lifecycle.Obstacle
		want  string
		due   bool
	}{
		{noSecret, v1alpha1.ReasonSecretNotFound, false},
		{lifecycle.Obstacle{}, v1alpha1.ReasonProgressing, true},
	} {
		lifecycle.SummarizeEvent(d, s, now, row.found)
		if got := meta.FindStatusCondition(d.Status.Conditions, v1alpha1.ConditionDelivered).Reason; got != row.want {
			t.Errorf("Delivered = False/%s, want %s", got, row.want)
		}
		if due, _ := lifecycle.EventDue(d, s, now); due != row.due {
			t.Errorf("with %s it is due: %t, want %t", row.want, due, row.due)
		}
	}
}
