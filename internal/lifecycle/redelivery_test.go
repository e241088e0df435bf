package lifecycle_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

var errNoSecret = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}

// The condition Published is True all the while: its message and redeliveryBlockedReason report the redelivery.
func TestABlockedRedeliveryIsReported(t *testing.T) {
	const delivered = "accepted by the receiver"
	const waits = delivered + "; a redelivery waits: the Secret is missing"
	headless := site(v1alpha1.ReviewManual)
	published := func() *v1alpha1.Article {
		a := article(approvedAndAsked, publication(v1alpha1.PublicationPublished), annotation(v1alpha1.RedeliverAnnotation, "again"))
		lifecycle.Summarize(a, headless, now, lifecycle.Blockers{Publication: errNoSecret})
		return a
	}
	for _, row := range []struct {
		name        string
		change      with
		found       *lifecycle.BlockedError
		wantMessage string
		wantBlocked bool
	}{
		{"when it is found", func(*v1alpha1.Article) {}, errNoSecret, waits, true},
		{"also by a reconcile that did not look for it", func(*v1alpha1.Article) {}, nil, waits, true},
		{"not when it waits for a slot alone", func(*v1alpha1.Article) {}, lifecycle.NoSlotAtReceiver(), delivered, false},
		{"not when nobody asks any more", annotation(v1alpha1.RedeliverAnnotation, ""), nil, delivered, false},
		{"not when it is in progress", func(a *v1alpha1.Article) {
			lifecycle.BeginDelivery(a, attempts.ID{ID: "1"}, true, now)
		}, nil, delivered + "; a redelivery is in progress", false},
		{"also for its retry", func(a *v1alpha1.Article) {
			a.Status.Publication.Cycle.Nonce = "again"
			redeliveryWaits(a)
			due(a)
		}, errNoSecret, waits, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := published()
			row.change(a)
			lifecycle.Summarize(a, headless, now, lifecycle.Blockers{Publication: row.found})
			for _, kind := range []string{v1alpha1.ConditionPublished, v1alpha1.ConditionReady} {
				if got := conditionOf(a, kind); got != "True/Delivered" {
					t.Errorf("%s = %s, want True/Delivered", kind, got)
				}
				if got := meta.FindStatusCondition(a.Status.Conditions, kind).Message; got != row.wantMessage {
					t.Errorf("%s says %q, want %q", kind, got, row.wantMessage)
				}
			}
			if got := lifecycle.PublicationBlocked(a); got != row.wantBlocked {
				t.Errorf("blocked: %t, want %t", got, row.wantBlocked)
			}
		})
	}
}
