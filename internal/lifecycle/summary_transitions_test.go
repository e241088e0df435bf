package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// happens changes an article and writes it, in memory.
func happens(a *v1alpha1.Article, policy v1alpha1.ReviewPolicy, changes ...with) {
	before := a.DeepCopy()
	for _, change := range changes {
		change(a)
	}
	lifecycle.Summarize(a, site(policy), lifecycle.Target{}, now, lifecycle.Blockers{})
	_, _ = record.Transitions(before, a, site(v1alpha1.ReviewManual), now, none)
	record.FitStatus(a)
}

func TestTransitionsAreTheStoryOfAnArticleInOrder(t *testing.T) {
	note := func(text string) with { return func(a *v1alpha1.Article) { a.Spec.Review.Note = text } }
	a := article(stage(v1alpha1.StagePublished))
	happens(a, v1alpha1.ReviewManual, generated)
	happens(a, v1alpha1.ReviewManual, review(v1alpha1.DecisionRejected, digestA), note("Say something about rock."))
	happens(a, v1alpha1.ReviewManual)
	happens(a, v1alpha1.ReviewManual, review(v1alpha1.DecisionApproved, digestA))
	happens(a, v1alpha1.ReviewManual, publication(hasFailed))
	happens(a, v1alpha1.ReviewManual, publication(isPublished))
	at := v1alpha1.NewMicroTime(now)
	want := []v1alpha1.ArticleTransition{
		{Type: v1alpha1.EventReadyForReview, RevisionNumber: 1, Time: at},
		{Type: v1alpha1.EventRejected, RevisionNumber: 1, Time: at, By: "mara@acme.example", Message: "Say something about rock."},
		{Type: v1alpha1.EventApproved, RevisionNumber: 1, Time: at, By: "mara@acme.example"},
		{Type: v1alpha1.EventFailed, RevisionNumber: 1, Time: at, Message: "Exhausted: attempt 1 of 4: the receiver answered 500"},
		{Type: v1alpha1.EventPublished, RevisionNumber: 1, Time: at},
	}
	if diff := cmp.Diff(want, a.Status.Transitions); diff != "" {
		t.Errorf("the transitions are not what happened:\n%s", diff)
	}
}

// The text of the site comes back when another one is discarded: nobody approves it then.
func TestATextThatComesBackIsNotApprovedAgain(t *testing.T) {
	comesBack := func(a *v1alpha1.Article) {
		back := *a.Status.Revision
		back.Name, back.Number, back.Digest = "shoes-3", 3, digestA
		record.MakeCurrent(a, back)
	}
	another := func(a *v1alpha1.Article) {
		other := *a.Status.Revision
		other.Name, other.Number, other.Digest = "shoes-2", 2, digestB
		record.MakeCurrent(a, other)
	}
	for name, tt := range map[string]struct {
		published bool
		want      []v1alpha1.ArticleEventType
	}{
		"of a published article": {true, []v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview}},
		"of one that is not":     {false, []v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview, v1alpha1.EventReadyForReview, v1alpha1.EventApproved}},
	} {
		at := site(v1alpha1.ReviewManual)
		at.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
		a := article(approvedAndAsked)
		if tt.published {
			publication(isPublished)(a)
		} else {
			a.Spec.Stage = v1alpha1.StageReview
		}
		lifecycle.Summarize(a, at, lifecycle.Target{}, now, lifecycle.Blockers{})
		a.Status.Transitions = nil
		for _, change := range []with{another, comesBack} {
			before := a.DeepCopy()
			change(a)
			lifecycle.Summarize(a, at, lifecycle.Target{}, now, lifecycle.Blockers{})
			_, _ = record.Transitions(before, a, at, now, none)
		}
		var got []v1alpha1.ArticleEventType
		for _, transition := range a.Status.Transitions {
			got = append(got, transition.Type)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the transitions are not as wanted:\n%s", name, diff)
		}
	}
}

func TestWhatHappenedIsReturned(t *testing.T) {
	a := article()
	happens(a, v1alpha1.ReviewManual, generated)
	before := a.DeepCopy()
	review(v1alpha1.DecisionRejected, digestA)(a)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	got, _ := record.Transitions(before, a, site(v1alpha1.ReviewManual), now, none)
	if len(got) != 1 || got[0].Type != v1alpha1.EventRejected {
		t.Errorf("RecordTransitions = %v, want the rejection alone", got)
	}
	if got, _ := record.Transitions(a.DeepCopy(), a, site(v1alpha1.ReviewManual), now, none); len(got) != 0 {
		t.Errorf("RecordTransitions = %v, want none, as nothing has happened since", got)
	}
}

func TestATransitionSaysWhetherAPersonDecidedAndWhyARunFailed(t *testing.T) {
	a := article()
	happens(a, v1alpha1.ReviewAutomatic, generated)
	at := v1alpha1.NewMicroTime(now)
	want := []v1alpha1.ArticleTransition{
		{Type: v1alpha1.EventReadyForReview, RevisionNumber: 1, Time: at}, {Type: v1alpha1.EventApproved, RevisionNumber: 1, Time: at},
	}
	if diff := cmp.Diff(want, a.Status.Transitions); diff != "" {
		t.Errorf("what the policy approves:\n%s", diff)
	}
	a = article()
	happens(a, v1alpha1.ReviewManual, run(v1alpha1.RunFailed))
	want = []v1alpha1.ArticleTransition{{Type: v1alpha1.EventFailed, RevisionNumber: 1, Time: at, Message: "Timeout: no answer"}}
	if diff := cmp.Diff(want, a.Status.Transitions); diff != "" {
		t.Errorf("a run that failed:\n%s", diff)
	}
}

// A copy that is restored, or that somebody has forged, must not lead to anything.
func TestNothingDependsOnTransitions(t *testing.T) {
	for name, changes := range map[string][]with{
		"new": nil, "in review": {generated}, "approved": {approvedAndAsked},
		"published": {approvedAndAsked, publication(isPublished)},
		"failed":    {approvedAndAsked, publication(hasFailed)},
	} {
		without := article(changes...)
		with := without.DeepCopy()
		for _, kind := range lifecycle.EventKinds {
			with.Status.Transitions = append(with.Status.Transitions, v1alpha1.ArticleTransition{Type: kind.Type, RevisionNumber: 7})
		}
		at := site(v1alpha1.ReviewManual)
		if got, want := lifecycle.Next(with, at, to(lifecycle.Push), now), lifecycle.Next(without, at, to(lifecycle.Push), now); got != want {
			t.Errorf("%s: the next step is %v, want %v", name, got, want)
		}
		lifecycle.Summarize(with, at, lifecycle.Target{}, now, lifecycle.Blockers{})
		lifecycle.Summarize(without, at, lifecycle.Target{}, now, lifecycle.Blockers{})
		with.Status.Transitions = nil
		if diff := cmp.Diff(without.Status, with.Status); diff != "" {
			t.Errorf("%s: status differs:\n%s", name, diff)
		}
	}
}
