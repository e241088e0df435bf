package index_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// handWritten is an article that its author wrote, approved and scheduled in one manifest. Its phase depends on its text.
func handWritten() *v1alpha1.Article {
	a := article("w", 1, "s", v1alpha1.PhaseDraft)
	a.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply}}
	a.Annotations = map[string]string{
		"kubectl.kubernetes.io/last-applied-configuration": strings.Repeat("x", 1000),
		v1alpha1.RequestHashAnnotation:                     "kept",
	}
	a.Spec.Content = &v1alpha1.ArticleContent{
		Title: "Title", Slug: "slug", Markdown: strings.Repeat("word ", 1000),
		FAQ: []v1alpha1.FAQ{{Question: "q", Answer: strings.Repeat("a", 1000)}},
	}
	a.Spec.Stage = v1alpha1.StagePublished
	a.Spec.PublishAfter = &v1alpha1.Time{Time: start.Add(time.Hour)}
	a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara"}
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: "r", Number: 1, Source: v1alpha1.SourceWritten, ContentHash: lifecycle.ContentHash(a.Spec.Content),
		Terms: strings.Repeat("t ", 128),
	}
	a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostUncertain}}
	a.Status.Publication.LastAnswer = &v1alpha1.ReceiverAnswer{HTTPStatus: 503, Snippet: strings.Repeat("x", 1000)}
	a.Status.Transitions = make([]v1alpha1.ArticleTransition, v1alpha1.MaxTransitions)
	a.Status.Publication.Attempts = make([]v1alpha1.DeliveryAttempt, 8)
	return a
}

func transform(t *testing.T, a *v1alpha1.Article) *v1alpha1.Article {
	t.Helper()
	x, _ := newIndex()
	out, err := x.Transform()(a)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := out.(*v1alpha1.Article)
	if !ok {
		t.Fatalf("Transform gives a %T", out)
	}
	return got
}

func TestTransformTakesOutWhatIsLarge(t *testing.T) {
	whole := handWritten()
	whole.Annotations["note"], whole.Labels = strings.Repeat("x", 250_000), map[string]string{"team": "words"}
	whole.Finalizers = []string{"example.com/" + strings.Repeat("x", 500_000)}
	got := transform(t, whole)
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 1000 {
		t.Errorf("%d bytes are left: %s", len(data), data)
	}
	if got.Spec.Content.Title != "Title" || got.Spec.Content.Slug != "slug" || got.Annotations[v1alpha1.RequestHashAnnotation] != "kept" {
		t.Errorf("what lists show is gone: %+v", got)
	}
}

func TestTransformKeepsHowManyAttemptsTheCycleHasHad(t *testing.T) {
	a := handWritten()
	p := a.Status.Publication
	p.Cycle = &v1alpha1.DeliveryCycle{Number: 2, State: v1alpha1.CycleRetryScheduled}
	last := &p.Attempts[len(p.Attempts)-1]
	last.Cycle, last.Number, last.HTTPStatus, last.Message = 2, 3, 503, "unavailable"
	record := &transform(t, a).Status.Publication.DeliveryRecord
	if got := cycles.OfCycle(record); got != 3 || record.Attempts[0].HTTPStatus != 503 || record.Attempts[0].Message != "unavailable" {
		t.Errorf("%d attempts, the last one %+v; want 3 and 503 with its message", got, record.Attempts)
	}
}

func TestTransformFindsThePhaseWhileTheTextIsThere(t *testing.T) {
	if got := transform(t, handWritten()).Status.Phase; got != scheduled {
		t.Errorf("phase = %s, want Scheduled", got)
	}
}

// A reflector that streams its first list transforms each object twice.
func TestTransformTwiceIsTransformOnce(t *testing.T) {
	once := transform(t, handWritten())
	twice := transform(t, once.DeepCopy())
	if !equality.Semantic.DeepEqual(once, twice) {
		t.Errorf("twice = %+v, want %+v", twice, once)
	}
}

func TestTransformLeavesOtherThingsAlone(t *testing.T) {
	x, _ := newIndex()
	for _, o := range []any{site("w", "s", 0), namespace("w", "acme", "1"), "text"} {
		if got, err := x.Transform()(o); err != nil || got != o {
			t.Errorf("Transform(%T) = %v, %v", o, got, err)
		}
	}
}
