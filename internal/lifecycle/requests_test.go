package lifecycle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestWhatPeopleMayAskOfAnArticle(t *testing.T) {
	edited := func(a *v1alpha1.Article) {
		generated(a)
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "Other shoes"}
	}
	delivered := func(state v1alpha1.PublicationState) []with {
		return []with{approvedAndAsked, publication(state)}
	}
	rejected := review(v1alpha1.DecisionRejected, digestA)
	for _, row := range []struct {
		name                                                                               string
		changes                                                                            []with
		wantReview, wantReject, wantPublish, wantUnschedule, wantRegenerate, wantRedeliver string
	}{
		{"in review", []with{generated}, "", "", "", "", "", "has not been published"},
		{"written, in review", []with{written}, "", "", "", "", "there is no keyword", "has not been published"},
		{"the author's text beside a keyword", []with{content("Shoes", "Run far."), revision(digestA)}, "", "", "", "", "its author's text", "has not been published"},
		{"not generated yet", nil, "wait for it", "wait for it", "", "", "generated already", "has not been published"},
		{"being generated", []with{run(v1alpha1.RunRunning)}, "wait for it", "wait for it", "", "", "generated already", "has not been published"},
		{"generated again", []with{generated, annotation(v1alpha1.RegenerateAnnotation, "2")}, "wait for it", "wait for it", "", "", "generated already", "has not been published"},
		{"failed to be generated", []with{run(v1alpha1.RunFailed)}, "no text to review", "no text to review", "regenerate it", "", "", "has not been published"},
		{"edited, without a revision", []with{edited}, "no revision of it yet", "no revision of it yet", "", "", "", "has not been published"},
		{"rejected", []with{generated, rejected}, "", "", "approve it", "", "", "has not been published"},
		{"archived", []with{generated, stage(v1alpha1.StageArchived)}, "archived", "archived", "", "archived", "archived", "archived"},
		{"scheduled", []with{approvedAndAsked, publishAfter(now.Add(time.Hour))}, "", "", "", "", "", "has not been published"},
		{"being delivered", delivered(v1alpha1.PublicationDelivering), "", "archived, not rejected", "", "can be archived", "may not change", "delivered already"},
		{"waiting for a retry", delivered(v1alpha1.PublicationRetryScheduled), "", "", "", "", "", "delivered already"},
		{"published", delivered(v1alpha1.PublicationPublished), "", "archived, not rejected", "", "can be archived", "may not change", ""},
		{"not delivered", delivered(v1alpha1.PublicationFailed), "", "", "redeliver it", "", "", ""},
	} {
		a := article(row.changes...)
		for _, asked := range []struct {
			what string
			got  error
			want string
		}{
			{"review", lifecycle.Reviewable(a), row.wantReview},
			{"reject", lifecycle.Rejectable(a), row.wantReject},
			{"publish", lifecycle.Publishable(a, now), row.wantPublish},
			{"unschedule", lifecycle.Unschedulable(a), row.wantUnschedule},
			{"regenerate", lifecycle.Regenerable(a), row.wantRegenerate},
			{"redeliver", lifecycle.Redeliverable(a), row.wantRedeliver},
		} {
			if (asked.got == nil) != (asked.want == "") || asked.got != nil && !strings.Contains(asked.got.Error(), asked.want) {
				t.Errorf("%s: %s: %v, want %q", row.name, asked.what, asked.got, asked.want)
			}
		}
	}
}

func TestASiteThatPullsIsSentNothingAgain(t *testing.T) {
	a := article(approvedAndAsked, publication(v1alpha1.PublicationPublished))
	a.Status.Publication.Cycle = nil
	if err := lifecycle.Redeliverable(a); err == nil || !strings.Contains(err.Error(), "nothing is sent") {
		t.Errorf("err = %v, want that nothing is sent", err)
	}
}

func TestWhatIsArchivedIsNotSubmitted(t *testing.T) {
	for stage, want := range map[v1alpha1.ArticleStage]bool{
		v1alpha1.StageDraft: true, v1alpha1.StageReview: true, v1alpha1.StagePublished: true, v1alpha1.StageArchived: false,
	} {
		a := article(written)
		a.Spec.Stage = stage
		if got := lifecycle.Submittable(a) == nil; got != want {
			t.Errorf("%s: %t, want %t", stage, got, want)
		}
	}
}
