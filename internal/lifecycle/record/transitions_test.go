package record_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// Somebody who edits a text again and again must not push out that another one was published.
func TestTheOutboxDropsTheOldestTransitionThatHappenedAgain(t *testing.T) {
	ready, published, failed := v1alpha1.EventReadyForReview, v1alpha1.EventPublished, v1alpha1.EventFailed
	for name, tt := range map[string]struct {
		had, want []v1alpha1.ArticleEventType
	}{
		"one that happened again": {
			had: []v1alpha1.ArticleEventType{failed, ready, published, ready, ready, ready, ready, ready}, want: []v1alpha1.ArticleEventType{ready},
		},
		"the oldest, if each differs": {
			had: []v1alpha1.ArticleEventType{failed, "A", "B", "C", "D", "E", "F", ready}, want: []v1alpha1.ArticleEventType{failed},
		},
		"one that happens again now": {
			had: []v1alpha1.ArticleEventType{failed, "A", "B", "C", "D", "E", "F", published}, want: []v1alpha1.ArticleEventType{published},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := &v1alpha1.Article{}
			before.Status.Revision = &v1alpha1.CurrentRevision{Name: "shoes-9", Number: 9}
			for i, kind := range tt.had {
				before.Status.Transitions = append(before.Status.Transitions, v1alpha1.ArticleTransition{
					Type: kind, RevisionNumber: int32(i + 1), Dispatch: v1alpha1.DispatchPending,
				})
			}
			a := before.DeepCopy()
			a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
				State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{Number: 9},
			}}
			recorded, dropped := record.Transitions(before, a, reviewed, now, func(v1alpha1.ArticleEventType) bool { return true })
			var got []v1alpha1.ArticleEventType
			for _, each := range a.Status.Transitions {
				if each.Dispatch == v1alpha1.DispatchDropped {
					got = append(got, each.Type)
				}
			}
			if !slices.Equal(got, tt.want) || dropped != len(tt.want) || len(recorded) != 1 || recorded[0].Dispatch != v1alpha1.DispatchPending {
				t.Errorf("%v are dropped, and %d counted, want %v; recorded %+v", got, dropped, tt.want, recorded)
			}
		})
	}
}
