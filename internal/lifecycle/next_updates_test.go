package lifecycle_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// updating is a site that updates its posts.
func updating(policy v1alpha1.ReviewPolicy) *v1alpha1.Site {
	s := site(policy)
	s.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
	return s
}

func headlessUpdating() *v1alpha1.Site {
	s := updating(v1alpha1.ReviewManual)
	s.Spec.CMS.Type = v1alpha1.CMSHeadless
	return s
}

// live is an article of such a site, which has the text of digestA.
func live(a *v1alpha1.Article) {
	written(a)
	stage(v1alpha1.StagePublished)(a)
	review(v1alpha1.DecisionApproved, digestA)(a)
	publication(isPublished)(a)
}

// pending is live, and its revision 2 with digestB is another text.
func pending(a *v1alpha1.Article) {
	live(a)
	content("Shoes", "Run near.")(a)
	over(1)(a)
}

func approvedB(a *v1alpha1.Article) { review(v1alpha1.DecisionApproved, digestB)(a) }

// updateCycle updates the post to revision 2, with a cycle in a state.
func updateCycle(state v1alpha1.CycleState, reason string) with {
	return func(a *v1alpha1.Article) {
		p := a.Status.Publication
		p.Cycle = &v1alpha1.DeliveryCycle{
			Number: 2, State: state, Reason: reason,
			Purpose: v1alpha1.PurposePut, Revision: &v1alpha1.PublicationRevision{Name: "shoes-2", Number: 2, Digest: digestB}, Post: postName,
		}
		if reason != v1alpha1.ReasonChangedAtSite {
			p.Post.State = v1alpha1.PostUncertain
			p.Post.Maybe = &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposePut, Revision: p.Cycle.Revision.DeepCopy()}
		}
		attempt := v1alpha1.DeliveryAttempt{Cycle: 2, Number: 1, AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, Message: "the receiver answered 500",
		}}
		switch state {
		case v1alpha1.CycleInProgress:
			attempt.Outcome = v1alpha1.AttemptInProgress
		case v1alpha1.CycleRetryScheduled:
			at := v1alpha1.NewMicroTime(now.Add(time.Minute))
			p.Cycle.NextAttemptTime = &at
		}
		p.Attempts = append(p.Attempts, attempt)
	}
}

// The step, what the condition UpToDate and Ready say, and the phase that the pending text would have.
func TestUpdates(t *testing.T) {
	in := now.Add(time.Minute)
	redeliver := annotation(v1alpha1.RedeliverAnnotation, "n2")
	waits := updateCycle(v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled)
	used := updateCycle(v1alpha1.CycleFailed, v1alpha1.ReasonExhausted)
	for _, row := range []struct {
		name      string
		policy    v1alpha1.ReviewPolicy
		mode      lifecycle.Mode // Push if empty
		changes   []with
		frozen    bool
		want      lifecycle.Step
		wantUntil time.Time
		upToDate  string
		ready     string
		text      v1alpha1.ArticlePhase
	}{
		{name: "the live text", changes: []with{live}, want: lifecycle.Wait, upToDate: "True/UpToDate", ready: "True/Delivered"},
		{name: "changed content makes a revision", changes: []with{live, content("Shoes", "Run near.")}, want: lifecycle.MakeRevision, upToDate: "False/NoRevision", ready: "False/NoRevision"},
		{name: "a changed request starts a run", changes: []with{approvedAndAsked, publication(isPublished), keyword("road shoes")}, want: lifecycle.StartRun, upToDate: "False/Generating", ready: "False/Generating", text: v1alpha1.PhaseGenerating},
		{name: "a nonce starts a run", changes: []with{approvedAndAsked, publication(isPublished), annotation(v1alpha1.RegenerateAnnotation, "n2")}, want: lifecycle.StartRun, upToDate: "False/Generating", ready: "False/Generating", text: v1alpha1.PhaseGenerating},
		{name: "nothing is generated for an article that was created again without its text", changes: []with{publication(isPublished)}, want: lifecycle.Wait, upToDate: "False/UpdatesFrozen", ready: "True/Delivered"},
		{name: "a pending text waits for its approval", changes: []with{pending}, want: lifecycle.Wait, upToDate: "False/AwaitingReview", ready: "True/AwaitingReview", text: v1alpha1.PhaseReview},
		{name: "the site's policy approves it", policy: v1alpha1.ReviewAutomatic, changes: []with{pending, review(v1alpha1.DecisionApproved, digestA)}, want: lifecycle.BeginCycle, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseApproved},
		{name: "a rejected text stays", changes: []with{pending, review(v1alpha1.DecisionRejected, digestB)}, want: lifecycle.Wait, upToDate: "False/Rejected", ready: "True/Rejected", text: v1alpha1.PhaseRejected},
		{name: "an approved text is sent", changes: []with{pending, approvedB}, want: lifecycle.BeginCycle, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseApproved},
		{name: "an approved text is pulled", mode: lifecycle.Pull, changes: []with{pending, approvedB}, want: lifecycle.ByPull, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseApproved},
		{name: "an article stays published where publishing is not supported", mode: lifecycle.Unsupported, changes: []with{pending, approvedB}, want: lifecycle.FailUnsupported, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseApproved},
		{name: "nobody asks for it", changes: []with{pending, approvedB, stage(v1alpha1.StageReview)}, want: lifecycle.Wait, upToDate: "False/NotRequested", ready: "True/NotRequested", text: v1alpha1.PhaseApproved},
		{name: "an archived article is not updated", changes: []with{pending, approvedB, stage(v1alpha1.StageArchived)}, want: lifecycle.Wait, upToDate: "False/NotRequested", ready: "True/Archived", text: v1alpha1.PhaseApproved},
		{name: "its time has not come", changes: []with{pending, approvedB, publishAfter(in)}, want: lifecycle.Wait, wantUntil: in, upToDate: "False/Scheduled", ready: "True/Scheduled", text: v1alpha1.PhaseScheduled},
		{name: "the live text is delivered again meanwhile", changes: []with{pending, redeliver}, want: lifecycle.BeginCycle, upToDate: "False/AwaitingReview", ready: "True/AwaitingReview", text: v1alpha1.PhaseReview},
		{name: "an attempt is followed", changes: []with{pending, approvedB, updateCycle(v1alpha1.CycleInProgress, "")}, want: lifecycle.FollowCycle, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseApproved},
		{name: "an attempt goes on with a text that is rejected meanwhile", changes: []with{pending, updateCycle(v1alpha1.CycleInProgress, ""), review(v1alpha1.DecisionRejected, digestB)}, want: lifecycle.FollowCycle, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseRejected},
		{name: "a retry waits", changes: []with{pending, approvedB, waits}, want: lifecycle.Wait, wantUntil: in, upToDate: "False/RetryScheduled", ready: "False/RetryScheduled", text: v1alpha1.PhaseApproved},
		{name: "a retry ends whose text is rejected", changes: []with{pending, waits, review(v1alpha1.DecisionRejected, digestB)}, want: lifecycle.DropCycle, upToDate: "False/Rejected", ready: "True/Rejected", text: v1alpha1.PhaseRejected},
		{name: "a retry ends whose text is edited", changes: []with{pending, approvedB, waits, content("Shoes", "Run up.")}, want: lifecycle.DropCycle, upToDate: "False/NoRevision", ready: "False/NoRevision"},
		{name: "a retry ends that nobody asks for", changes: []with{pending, approvedB, waits, stage(v1alpha1.StageReview)}, want: lifecycle.DropCycle, upToDate: "False/NotRequested", ready: "True/NotRequested", text: v1alpha1.PhaseApproved},
		{name: "a cancelled update begins again when it is wanted again", changes: []with{pending, approvedB, updateCycle(v1alpha1.CycleCancelled, v1alpha1.ReasonNotRequested)}, want: lifecycle.BeginCycle, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseApproved},
		{name: "a failed update waits for a person", changes: []with{pending, approvedB, used}, want: lifecycle.Wait, upToDate: "False/SiteUncertain", ready: "False/DeliveryFailed", text: v1alpha1.PhaseFailed},
		{name: "a failed update is made again for a nonce", changes: []with{pending, approvedB, used, redeliver}, want: lifecycle.BeginCycle, upToDate: "False/Publishing", ready: "False/Publishing", text: v1alpha1.PhaseFailed},
		{name: "a post that was changed in the CMS waits for a person", changes: []with{pending, approvedB, updateCycle(v1alpha1.CycleFailed, v1alpha1.ReasonChangedAtSite), connected}, want: lifecycle.Wait, upToDate: "False/ChangedAtSite", ready: "True/ChangedAtSite", text: v1alpha1.PhaseFailed},
		{name: "frozen again, nothing is sent", changes: []with{pending, approvedB}, frozen: true, want: lifecycle.Wait},
		{name: "frozen again, a retry ends", changes: []with{pending, approvedB, waits}, frozen: true, want: lifecycle.DropCycle},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, s := article(row.changes...), updating(v1alpha1.ReviewManual)
			if row.policy != "" {
				s = updating(row.policy)
			}
			if row.frozen {
				s = site(v1alpha1.ReviewManual)
			}
			mode := lifecycle.Push
			if row.mode != "" {
				mode = row.mode
			}
			if got := lifecycle.Next(a, s, to(mode), now); got.Step != row.want || !got.Until.Equal(row.wantUntil) {
				t.Errorf("Next = %s until %s, want %s until %s", got.Step, got.Until, row.want, row.wantUntil)
			}
			if row.upToDate == "" {
				return
			}
			lifecycle.Summarize(a, s, lifecycle.Target{}, now, lifecycle.Blockers{})
			if got := conditionOf(a, v1alpha1.ConditionUpToDate); got != row.upToDate {
				t.Errorf("UpToDate = %s, want %s", got, row.upToDate)
			}
			if got := conditionOf(a, v1alpha1.ConditionReady); got != row.ready {
				t.Errorf("Ready = %s, want %s", got, row.ready)
			}
			if got := lifecycle.Phase(a, nil, now); got != v1alpha1.PhasePublished && got != v1alpha1.PhaseArchived {
				t.Errorf("the phase is %s", got)
			}
			if got := lifecycle.TextPhase(a, s, now); row.text != "" && got != row.text {
				t.Errorf("TextPhase = %s, want %s", got, row.text)
			}
		})
	}
}

// connected means that the last attempt used the connection that the site has.
func connected(a *v1alpha1.Article) {
	a.Status.Publication.Cycle.ConnectionHash = lifecycle.ConnectionHash(updating(v1alpha1.ReviewManual))
}

func TestAnUpdateReplacesTheTextOnceItIsAccepted(t *testing.T) {
	a := article(pending, approvedB)
	first := v1alpha1.NewMicroTime(now.Add(-time.Hour))
	a.Status.Publication.Post.PublishTime = &first
	if p := a.Status.Publication.Post.Revision; p.Title != "Shoes" || p.SEOScore == nil {
		t.Errorf("the live revision is %+v, want its title and its score kept", p)
	}
	beginUpdate(a, cycles.AttemptID{ID: "1", Holder: "me"}, now)
	if got := a.Status.Publication.Post.Revision.Digest; got != digestA {
		t.Fatalf("the site has %s before the attempt ends", got)
	}
	if got := lifecycle.CycleOf(a).Revision; got.Digest != digestB {
		t.Errorf("the retry sends %s", got.Digest)
	}
	before := a.DeepCopy()
	end(a, cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted}}, cycles.Schedule{}, now)
	p := lifecycle.Have(a)
	if p.State != v1alpha1.PostPresent || p.Revision.Digest != digestB || p.Revision.Title != "" || !p.PublishTime.Equal(&first) || !p.UpdateTime.Time.Equal(now) {
		t.Errorf("the publication is %+v", p)
	}
	happened, _ := record.Transitions(before, a, site(v1alpha1.ReviewManual), now, func(v1alpha1.ArticleEventType) bool { return false })
	if len(happened) != 1 || happened[0].Type != v1alpha1.EventUpdated || happened[0].RevisionNumber != 2 {
		t.Errorf("transitions are %+v", happened)
	}
}

func TestTheLiveRevisionIsKept(t *testing.T) {
	a := article(live)
	a.Status.Revision.Number, a.Status.Publication.Post.Revision.Number = 4, 4
	for n := int32(4); n < 12; n++ {
		over(n)(a)
		record.ForgetRevisions(a, lifecycle.DroppedRevisions(a))
		if got := lifecycle.KeptRevisions(a); !slices.Contains(got, 4) || len(got) > 4 {
			t.Fatalf("after %d: kept are %v", n+1, got)
		}
	}
}

func TestActionsOfAPublishedArticleThatMayBeUpdated(t *testing.T) {
	for _, row := range []struct {
		name    string
		changes []with
		want    []lifecycle.ActionName
	}{
		{"up to date", []with{live}, []lifecycle.ActionName{lifecycle.ActionEdit, lifecycle.ActionRedeliver, lifecycle.ActionArchive, lifecycle.ActionDelete}},
		{"pending", []with{pending}, []lifecycle.ActionName{
			lifecycle.ActionApprove, lifecycle.ActionReject, lifecycle.ActionPublish, lifecycle.ActionCancelPublication, lifecycle.ActionEdit,
			lifecycle.ActionRedeliver, lifecycle.ActionArchive, lifecycle.ActionDelete,
		}},
	} {
		var got []lifecycle.ActionName
		for _, action := range lifecycle.Actions(article(row.changes...), headlessUpdating(), now) {
			if action.Offered {
				got = append(got, action.Name)
			}
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: offered are %v, want %v", row.name, got, row.want)
		}
	}
}
