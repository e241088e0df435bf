package lifecycle_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

const mara = "mara@acme.example" // Who review is by.

func TestApprovalsAreCountedByPeopleAndText(t *testing.T) {
	approve, reject := review(v1alpha1.DecisionApproved, digestA), review(v1alpha1.DecisionRejected, digestA)
	inManifest := []with{written, review(v1alpha1.DecisionApproved, ""), approval("jo", "")}
	for _, row := range []struct {
		name    string
		site    *v1alpha1.Site
		changes []with
		want    string
		review  lifecycle.Review
	}{
		{"nobody", asks(2), []with{generated}, "0 of 2 approvals", lifecycle.ReviewOpen},
		{"one", asks(2), []with{generated, approve}, "1 of 2 approvals: " + mara, lifecycle.ReviewAwaitingApprovals},
		{"an entry", asks(2), []with{generated, approval("jo", digestA)}, "1 of 2 approvals: jo", lifecycle.ReviewAwaitingApprovals},
		{"two", asks(2), []with{generated, approve, approval("jo", digestA)}, "2 of 2 approvals: jo, " + mara, lifecycle.ReviewApproved},
		{"two entries", asks(2), []with{generated, approval("jo", digestA), approval("kim", digestA)}, "2 of 2 approvals: jo, kim", lifecycle.ReviewApproved},
		{"the same person twice", asks(2), []with{generated, approve, approval(mara, digestA)}, "1 of 2 approvals: " + mara, lifecycle.ReviewAwaitingApprovals},
		{"a person and their app", asks(2), []with{generated, approve, approval(mara+" (app tool)", digestA)}, "1 of 2 approvals: " + mara, lifecycle.ReviewAwaitingApprovals},
		{"two names of a key", asks(2), []with{generated, approval("Ben (api-key:aa3k)", digestA), approval("Bot (api-key:aa3k)", digestA)},
			"1 of 2 approvals: Ben (api-key:aa3k)", lifecycle.ReviewAwaitingApprovals},
		{"the same entry twice", asks(2), []with{generated, approval("jo", digestA), approval("jo", digestA)}, "1 of 2 approvals: jo", lifecycle.ReviewAwaitingApprovals},
		{"names differ in case and blanks", asks(3), []with{generated, approval("jo", digestA), approval("Jo", digestA), approval("jo ", digestA)},
			"3 of 3 approvals: jo, Jo, jo ", lifecycle.ReviewApproved},
		{"another text", asks(2), []with{generated, approve, approval("jo", digestB)}, "1 of 2 approvals: " + mara, lifecycle.ReviewAwaitingApprovals},
		{"an earlier review beside an entry", asks(2), []with{generated, review(v1alpha1.DecisionApproved, digestB), approval("jo", digestA)},
			"1 of 2 approvals: jo", lifecycle.ReviewAwaitingApprovals},
		{"all of another text", asks(2), []with{generated, review(v1alpha1.DecisionApproved, digestB), approval("jo", digestB)}, "0 of 2 approvals", lifecycle.ReviewStale},
		{"no digest, of a generated text", asks(1), []with{generated, approval("jo", "")}, "0 of 1 approvals", lifecycle.ReviewStale},
		{"no digest, beside the content", asks(2), inManifest, "2 of 2 approvals: jo, " + mara, lifecycle.ReviewApproved},
		{"no digest, and the content has changed since", asks(2), append(inManifest, content("Shoes", "Run near.")), "0 of 2 approvals", lifecycle.ReviewStale},
		{"a rejection stops it", asks(2), []with{generated, reject, approval("jo", digestA), approval("kim", digestA)}, "2 of 2 approvals: jo, kim", lifecycle.ReviewRejected},
		{"who rejects has not approved", asks(2), []with{generated, reject, approval(mara, digestA), approval("jo", digestA)}, "1 of 2 approvals: jo", lifecycle.ReviewRejected},
		{"a rejection of another text does not", asks(2), []with{generated, review(v1alpha1.DecisionRejected, digestB), approval("jo", digestA), approval("kim", digestA)},
			"2 of 2 approvals: jo, kim", lifecycle.ReviewApproved},
		{"one is the default", asks(0), []with{generated, approve}, "1 of 1 approvals: " + mara, lifecycle.ReviewApproved},
		{"the site asks for fewer since", asks(1), []with{generated, approval("jo", digestA)}, "1 of 1 approvals: jo", lifecycle.ReviewApproved},
		{"the site asks for more since it was published", asks(5), []with{approvedAndAsked, publication(isPublished)}, "1 of 1 approvals: " + mara, lifecycle.ReviewApproved},
		{"the site asks for more since it was taken back", asks(5), []with{approvedAndAsked, publication(isPublished), func(a *v1alpha1.Article) {
			a.Status.Publication.Post.State = v1alpha1.PostAbsent
		}}, "1 of 5 approvals: " + mara, lifecycle.ReviewAwaitingApprovals},
		{"the site asks for more, and another text is live", asks(2), []with{approvedAndAsked, otherIsLive}, "1 of 2 approvals: " + mara, lifecycle.ReviewAwaitingApprovals},
		{"no site", nil, []with{generated, approve}, "1 of 1 approvals: " + mara, lifecycle.ReviewApproved},
	} {
		a := article(row.changes...)
		if got := lifecycle.ApprovalsOf(a, row.site).String(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
		if got := lifecycle.ReviewOf(a, row.site); got != row.review {
			t.Errorf("%s: the review is %d, want %d", row.name, got, row.review)
		}
	}
}

func TestWhatADecisionWrites(t *testing.T) {
	approved := func(by string) *v1alpha1.ArticleReview {
		return &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: by, Digest: digestA, Note: "Fine."}
	}
	own := func(a *v1alpha1.Article) { a.Spec.Review = approved(mara) }
	entry := func(by string) v1alpha1.ArticleApproval {
		return v1alpha1.ArticleApproval{By: by, Digest: digestA, Note: "Fine."}
	}
	rejected := review(v1alpha1.DecisionRejected, digestA)
	full := []with{generated}
	for _, by := range []string{"a", "b", "c", "d", "e"} {
		full = append(full, approval(by, digestB))
	}
	for _, row := range []struct {
		name    string
		site    *v1alpha1.Site
		changes []with
		by      string
		want    func(*v1alpha1.ArticleSpec) // nil if nothing changes
	}{
		{"the only one", asks(1), []with{generated}, "jo", func(s *v1alpha1.ArticleSpec) { s.Review = approved("jo") }},
		{"the only one again", asks(1), []with{generated, own}, "jo", nil},
		{"the only one with another note", asks(1), []with{generated, review(v1alpha1.DecisionApproved, digestA)}, "jo", func(s *v1alpha1.ArticleSpec) { s.Review = approved("jo") }},
		{"who has given an entry, since the site asks for one", asks(1), []with{generated, approval("jo", digestA)}, "jo", nil},
		{"the first of two", asks(2), []with{generated}, "jo", func(s *v1alpha1.ArticleSpec) { s.Approvals = []v1alpha1.ArticleApproval{entry("jo")} }},
		{"the first of two again", asks(2), []with{generated, approval("jo", digestA)}, "jo", nil},
		{"the last of two", asks(2), []with{generated, approval("jo", digestA)}, "kim", func(s *v1alpha1.ArticleSpec) { s.Review = approved("kim") }},
		{"one too many", asks(2), []with{generated, approval("jo", digestA), own}, "kim", nil},
		{"the last of two again", asks(2), []with{generated, approval("jo", digestA), own}, mara, nil},
		{"the last, beside a review that was written first", asks(2), []with{generated, own}, "jo",
			func(s *v1alpha1.ArticleSpec) { s.Approvals = []v1alpha1.ArticleApproval{entry("jo")} }},
		{"the second of three", asks(3), []with{generated, approval("jo", digestA)}, "kim",
			func(s *v1alpha1.ArticleSpec) { s.Approvals = append(s.Approvals, entry("kim")) }},
		{"the first of a new text, in place of the own approval of the last one", asks(2), []with{generated, approval("jo", digestB)}, "jo",
			func(s *v1alpha1.ArticleSpec) { s.Approvals = []v1alpha1.ArticleApproval{entry("jo")} }},
		{"the first of a new text, with no room beside those of the last one", asks(2), full, "jo", func(s *v1alpha1.ArticleSpec) { s.Approvals[0] = entry("jo") }},
		{"the first of two against a rejection", asks(2), []with{generated, rejected}, "jo",
			func(s *v1alpha1.ArticleSpec) { s.Approvals = []v1alpha1.ArticleApproval{entry("jo")} }},
		{"the first of two against a rejection again", asks(2), []with{generated, rejected, approval("jo", digestA)}, "jo", nil},
		{"the last of two against a rejection", asks(2), []with{generated, rejected, approval("jo", digestA)}, "kim", func(s *v1alpha1.ArticleSpec) { s.Review = approved("kim") }},
		{"who has rejected", asks(2), []with{generated, rejected}, mara, func(s *v1alpha1.ArticleSpec) { s.Review = approved(mara) }},
		{"against a rejection beside enough entries", asks(2), []with{generated, rejected, approval("jo", digestA), approval("kim", digestA)}, "kim",
			func(s *v1alpha1.ArticleSpec) { s.Review = approved("kim") }},
		{"what is published", asks(2), []with{approvedAndAsked, publication(isPublished)}, "jo", nil},
		{"what is being delivered", asks(2), []with{approvedAndAsked, publication(beingDelivered)}, "jo", nil},
	} {
		a := article(row.changes...)
		want := a.Spec.DeepCopy()
		if row.want != nil {
			row.want(want)
		}
		if changed := lifecycle.Approve(a, row.site, row.by, "Fine."); changed != (row.want != nil) {
			t.Errorf("%s: it says that it changed something: %t", row.name, changed)
		}
		if diff := cmp.Diff(*want, a.Spec); diff != "" {
			t.Errorf("%s:\n%s", row.name, diff)
		}
	}

	a := article(generated, approval("jo", digestA), approval("kim", digestA))
	for _, want := range []bool{true, false} {
		if got := lifecycle.Reject(a, "jo", "No sources."); got != want {
			t.Errorf("a rejection says that it changed something: %t", got)
		}
		rejection := &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "jo", Digest: digestA, Note: "No sources."}
		if diff := cmp.Diff(rejection, a.Spec.Review); diff != "" || len(a.Spec.Approvals) != 1 || a.Spec.Approvals[0].By != "kim" {
			t.Errorf("the approvals are %+v:\n%s", a.Spec.Approvals, diff)
		}
	}
}

// Approved happens once, at the last approval, and names who gave it.
func TestTheLastApprovalIsTheEvent(t *testing.T) {
	two := asks(2)
	a := article(generated)
	var events []string
	step := func(site *v1alpha1.Site, changes ...with) {
		before := a.DeepCopy()
		for _, change := range changes {
			change(a)
		}
		lifecycle.Summarize(a, site, lifecycle.Target{}, now, lifecycle.Blockers{})
		recorded, _ := record.Transitions(before, a, site, now, func(v1alpha1.ArticleEventType) bool { return true })
		for i := range recorded {
			events = append(events, string(recorded[i].Type)+" "+recorded[i].By)
		}
	}
	by := func(name string) with { return func(a *v1alpha1.Article) { lifecycle.Approve(a, two, name, "") } }
	step(two)
	step(two, by("jo"))
	if got := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved).Message; got != "1 of 2 approvals: jo" {
		t.Errorf("the message is %q", got)
	}
	step(two, by("jo"))
	step(two, by("kim"))
	step(two, by("lea"), stage(v1alpha1.StagePublished))
	step(asks(1))
	if want := []string{"Approved kim"}; !slices.Equal(events, want) {
		t.Errorf("got %q, want %q", events, want)
	}
	step(asks(2), publication(isPublished))
	events = nil
	step(asks(5))
	step(asks(2))
	if len(events) > 0 {
		t.Errorf("a published article has %q when its site asks for more approvals, and for fewer", events)
	}
}

// A site that asks for fewer approvals has texts that wait for more approved at once.
func TestFewerApprovalsApproveWhatWaits(t *testing.T) {
	a := article(generated, stage(v1alpha1.StagePublished), approval("jo", digestA), approval("kim", digestA))
	for _, row := range []struct {
		approvals int32
		want      lifecycle.Step
	}{{3, lifecycle.Wait}, {2, lifecycle.BeginCycle}, {1, lifecycle.BeginCycle}} {
		if got := lifecycle.Next(a, asks(row.approvals), to(lifecycle.Push), now.Add(time.Second)).Step; got != row.want {
			t.Errorf("%d approvals: the next step is %s, want %s", row.approvals, got, row.want)
		}
	}
}
