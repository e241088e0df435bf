package article

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func TestAnArticleIsUnfinishedIfItWaitsForTheControllerOrItsTime(t *testing.T) {
	for phase, want := range map[v1alpha1.ArticlePhase]bool{
		"": true, v1alpha1.PhaseGenerating: true, v1alpha1.PhaseApproved: true, v1alpha1.PhaseScheduled: true,
		v1alpha1.PhaseDraft: false, v1alpha1.PhaseReview: false, v1alpha1.PhaseRejected: false, v1alpha1.PhasePublished: false,
		v1alpha1.PhaseFailed: false, v1alpha1.PhaseArchived: false,
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Generation: 2}}
		a.Status.Phase, a.Status.ObservedGeneration = phase, 2
		if got := unfinished(a); got != want {
			t.Errorf("an article in the phase %q: %t, want %t", phase, got, want)
		}
		edited := a.DeepCopy()
		edited.Generation++
		updating := a.DeepCopy()
		updating.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionReconciling, Status: metav1.ConditionTrue}}
		if !unfinished(edited) || !unfinished(updating) {
			t.Errorf("in the phase %q, an edit %t and an update %t are unfinished", phase, unfinished(edited), unfinished(updating))
		}
	}
}
