package lifecycle_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// The rows are those of docs/reference/article.md, Phase, and of docs/reference/contract.md, Article states, with what wins over what.
func TestPhase(t *testing.T) {
	approve := review(v1alpha1.DecisionApproved, digestA)
	reject := review(v1alpha1.DecisionRejected, digestA)
	asked := stage(v1alpha1.StagePublished)
	automatic := condition(v1alpha1.ConditionApproved, metav1.ConditionTrue, v1alpha1.ReasonAutomatic)
	for _, row := range []struct {
		name    string
		changes []with
		want    v1alpha1.ArticlePhase
	}{
		{"archived: the stage says so", []with{generated, stage(v1alpha1.StageArchived)}, v1alpha1.PhaseArchived},
		{"archived wins over published", []with{approvedAndAsked, publication(isPublished), stage(v1alpha1.StageArchived)}, v1alpha1.PhaseArchived},
		{"archived wins over a failed run", []with{run(v1alpha1.RunFailed), stage(v1alpha1.StageArchived)}, v1alpha1.PhaseArchived},

		{"published: the receiver accepted it", []with{approvedAndAsked, publication(isPublished)}, v1alpha1.PhasePublished},
		{"published: a regeneration that is asked for cannot change it", []with{approvedAndAsked, publication(isPublished), annotation(v1alpha1.RegenerateAnnotation, "n")}, v1alpha1.PhasePublished},
		{"published: a redelivery that waits leaves it so", []with{approvedAndAsked, publication(isPublished), redeliveryWaits}, v1alpha1.PhasePublished},
		{"published: a later rejection does not take it back", []with{approvedAndAsked, publication(isPublished), reject}, v1alpha1.PhasePublished},

		{"generating: a run is due", nil, v1alpha1.PhaseGenerating},
		{"generating: a run is in progress", []with{run(v1alpha1.RunRunning)}, v1alpha1.PhaseGenerating},
		{"generating: a run waits for its retry", []with{run(v1alpha1.RunRetryScheduled)}, v1alpha1.PhaseGenerating},
		{"generating: a draft is generated too", []with{stage(v1alpha1.StageDraft)}, v1alpha1.PhaseGenerating},
		{"generating: a new nonce asks for another text", []with{generated, annotation(v1alpha1.RegenerateAnnotation, "n")}, v1alpha1.PhaseGenerating},
		{"generating: the request has changed", []with{generated, keyword("road running shoes")}, v1alpha1.PhaseGenerating},
		{"generating wins over an approval of the older text", []with{approvedAndAsked, annotation(v1alpha1.RegenerateAnnotation, "n")}, v1alpha1.PhaseGenerating},

		{"generation in progress, failure: failed", []with{run(v1alpha1.RunFailed)}, v1alpha1.PhaseFailed},
		{"failed: also as a draft", []with{run(v1alpha1.RunFailed), stage(v1alpha1.StageDraft)}, v1alpha1.PhaseFailed},
		{"failed: delivery used up its retries", []with{approvedAndAsked, publication(hasFailed)}, v1alpha1.PhaseFailed},
		{"failed wins over rejected", []with{approvedAndAsked, publication(hasFailed), reject}, v1alpha1.PhaseFailed},
		{"a regeneration that fails beside a good revision does not show", []with{revision(digestA), annotation(v1alpha1.RegenerateAnnotation, "n"), run(v1alpha1.RunFailed)}, v1alpha1.PhaseReview},
		{"a failed delivery of an older text does not show", []with{approvedAndAsked, publication(hasFailed), func(a *v1alpha1.Article) {
			a.Status.Revision.Name, a.Status.Revision.Digest = "shoes-2", digestB
		}}, v1alpha1.PhaseReview},

		{"rejected: the reviewer's word on this digest", []with{generated, reject}, v1alpha1.PhaseRejected},
		{"rejected wins over draft", []with{generated, reject, stage(v1alpha1.StageDraft)}, v1alpha1.PhaseRejected},
		{"rejected: without a digest it means what is current", []with{generated, review(v1alpha1.DecisionRejected, "")}, v1alpha1.PhaseRejected},
		{"rejected wins over an automatic approval", []with{generated, reject, automatic}, v1alpha1.PhaseRejected},

		{"draft: the stage says so", []with{generated, stage(v1alpha1.StageDraft)}, v1alpha1.PhaseDraft},
		{"draft wins over approved", []with{generated, approve, stage(v1alpha1.StageDraft)}, v1alpha1.PhaseDraft},

		{"generation in progress, success: review", []with{generated}, v1alpha1.PhaseReview},
		{"review: a written article that no revision has taken in yet", []with{noGenerate, content("Shoes", "Run far.")}, v1alpha1.PhaseReview},
		{"review: the approval was about another content", []with{generated, review(v1alpha1.DecisionApproved, digestB)}, v1alpha1.PhaseReview},
		{"review: the rejection was about another content", []with{generated, review(v1alpha1.DecisionRejected, digestB)}, v1alpha1.PhaseReview},
		{"review: the content has changed under its approval", []with{written, review(v1alpha1.DecisionApproved, digestA), content("Shoes", "Run farther.")}, v1alpha1.PhaseReview},
		{"review: an approval without a digest is not about a generated text", []with{generated, review(v1alpha1.DecisionApproved, "")}, v1alpha1.PhaseReview},
		{"review: more approvals are asked for", []with{generated, approve, condition(v1alpha1.ConditionApproved, metav1.ConditionFalse, v1alpha1.ReasonAwaitingApprovals)}, v1alpha1.PhaseReview},
		{"review: an entry of spec.approvals alone is not known to suffice", []with{generated, approval("jo", digestA)}, v1alpha1.PhaseReview},
		{"review: publishing is wished for and not approved", []with{generated, asked, publishAfter(now.Add(time.Hour))}, v1alpha1.PhaseReview},

		{"scheduled: approved, and its time has not come", []with{approvedAndAsked, publishAfter(now.Add(time.Second))}, v1alpha1.PhaseScheduled},
		{"not scheduled: its time has come", []with{approvedAndAsked, publishAfter(now)}, v1alpha1.PhaseApproved},
		{"not scheduled: nobody asked for publishing", []with{generated, approve, publishAfter(now.Add(time.Hour))}, v1alpha1.PhaseApproved},

		{"approved", []with{generated, approve}, v1alpha1.PhaseApproved},
		{"approved: the condition says that the entries suffice", []with{generated, approval("jo", digestA), condition(v1alpha1.ConditionApproved, metav1.ConditionTrue, v1alpha1.ReasonApproved)}, v1alpha1.PhaseApproved},
		{"rejected wins over entries", []with{generated, approval("jo", digestA), reject}, v1alpha1.PhaseRejected},
		{"approved: while an attempt is in progress", []with{approvedAndAsked, publication(beingDelivered)}, v1alpha1.PhaseApproved},
		{"approved: while a retry is waited for", []with{approvedAndAsked, publication(retryScheduled)}, v1alpha1.PhaseApproved},
		{"approved: by the manifest that carries the content", []with{written, review(v1alpha1.DecisionApproved, "")}, v1alpha1.PhaseApproved},
		{"approved: by the site's policy", []with{generated, automatic}, v1alpha1.PhaseApproved},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := lifecycle.Phase(article(row.changes...), nil, now); got != row.want {
				t.Errorf("Phase = %s, want %s", got, row.want)
			}
		})
	}
}

func TestTheStoredPhaseDecidesNothing(t *testing.T) {
	for _, stored := range []v1alpha1.ArticlePhase{v1alpha1.PhasePublished, v1alpha1.PhaseFailed, v1alpha1.PhaseArchived} {
		a := article(generated)
		a.Status.Phase = stored
		if got := lifecycle.Phase(a, nil, now); got != v1alpha1.PhaseReview {
			t.Errorf("Phase with %s stored = %s, want Review", stored, got)
		}
	}
}
