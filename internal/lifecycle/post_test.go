package lifecycle_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// Written, nothing was generated; else it depends on whether a person answers for the text.
func TestTheDisclosureOfAText(t *testing.T) {
	for _, row := range []struct {
		source   v1alpha1.RevisionSource
		byPerson bool
		want     v1alpha1.Disclosure
		wantName string
	}{
		{v1alpha1.SourceWritten, true, v1alpha1.DisclosureHumanOnly, "human_only"},
		{v1alpha1.SourceWritten, false, v1alpha1.DisclosureHumanOnly, "human_only"},
		{v1alpha1.SourceEdited, true, v1alpha1.DisclosureAIAssisted, "ai_assisted"},
		{v1alpha1.SourceEdited, false, v1alpha1.DisclosureAIAutonomous, "ai_autonomous"},
		{v1alpha1.SourceGenerated, true, v1alpha1.DisclosureAIAssisted, "ai_assisted"},
		{v1alpha1.SourceGenerated, false, v1alpha1.DisclosureAIAutonomous, "ai_autonomous"},
		{"Translated", false, v1alpha1.DisclosureAIAutonomous, "ai_autonomous"},
	} {
		got := lifecycle.DisclosureOf(row.source, row.byPerson)
		if name := lifecycle.DisclosureNames[got]; got != row.want || name != row.wantName {
			t.Errorf("%s, approved by a person: %t: got %s (%s), want %s (%s)", row.source, row.byPerson, got, name, row.want, row.wantName)
		}
	}
	if name := lifecycle.DisclosureNames["OfALaterVersion"]; name != "" {
		t.Errorf("a disclosure that is not known is %q, want nothing", name)
	}
}

func TestTheRecordOfARevision(t *testing.T) {
	decided := v1alpha1.NewMicroTime(now.Add(-1e9))
	approvedBy := func(number int32, by string) with {
		return func(a *v1alpha1.Article) {
			a.Status.Transitions = append(a.Status.Transitions, v1alpha1.ArticleTransition{
				Type: v1alpha1.EventApproved, RevisionNumber: number, Time: decided, By: by, Message: "cut",
			})
		}
	}
	noted := func(a *v1alpha1.Article) { a.Spec.Review.Note = "Whole." }
	rev := &v1alpha1.ArticleRevision{Spec: v1alpha1.ArticleRevisionSpec{
		Digest: digestA, Source: v1alpha1.SourceGenerated, Generator: &v1alpha1.GeneratorRecord{Model: "m", PromptVersion: "7"},
	}}
	base := v1alpha1.PostRecord{
		Digest: digestA, RevisionNumber: 1, Disclosure: v1alpha1.DisclosureAIAssisted, Decision: v1alpha1.RecordApproved,
		DecisionTime: decided, By: "mara@acme.example", Note: "Whole.", Source: v1alpha1.SourceGenerated, Model: "m", PromptVersion: "7",
	}
	for _, row := range []struct {
		name    string
		article *v1alpha1.Article
		sent    v1alpha1.Disclosure
		rev     *v1alpha1.ArticleRevision
		want    func(*v1alpha1.PostRecord)
	}{
		{"approved", article(generated, review(v1alpha1.DecisionApproved, digestA), noted, approvedBy(1, "mara")), v1alpha1.DisclosureAIAssisted, rev,
			func(*v1alpha1.PostRecord) {}},
		{"approved just now", article(generated, review(v1alpha1.DecisionApproved, digestA), noted), v1alpha1.DisclosureAIAssisted, rev,
			func(r *v1alpha1.PostRecord) { r.DecisionTime = v1alpha1.NewMicroTime(now) }},
		{"approved by two", article(generated, approval("jo", digestA), approval("kim", digestB), review(v1alpha1.DecisionApproved, digestA), noted, approvedBy(1, "mara"),
			func(a *v1alpha1.Article) { a.Spec.Approvals[0].Note = strings.Repeat("ü", 2000) }), v1alpha1.DisclosureAIAssisted, rev,
			func(r *v1alpha1.PostRecord) {
				r.Approvals = []v1alpha1.ArticleApproval{{By: "jo", Digest: digestA, Note: strings.Repeat("ü", 100)}}
			}},
		{"approved by two, who have approved the next text since", article(generated, over(1), approval("jo", digestA), approval("kim", digestB),
			review(v1alpha1.DecisionApproved, digestB), approvedBy(1, "mara")), v1alpha1.DisclosureAIAssisted, rev,
			func(r *v1alpha1.PostRecord) {
				r.By, r.Note, r.Approvals = "mara", "cut", []v1alpha1.ArticleApproval{{By: "jo", Digest: digestA}}
			}},
		{"approved by an entry alone", article(generated, approval("jo", digestA), condition(v1alpha1.ConditionApproved, metav1.ConditionTrue, v1alpha1.ReasonApproved)),
			v1alpha1.DisclosureAIAssisted, rev, func(r *v1alpha1.PostRecord) { r.By, r.Note, r.DecisionTime = "jo", "", v1alpha1.NewMicroTime(now) }},
		{"the review is about the next text", article(generated, over(1), review(v1alpha1.DecisionRejected, digestB), approvedBy(1, "mara"), approvedBy(2, "nils")),
			v1alpha1.DisclosureAIAssisted, rev, func(r *v1alpha1.PostRecord) { r.By, r.Note = "mara", "cut" }},
		{"the live text was restored under another number, and the review is about a text between",
			article(generated, publication(isPublished), over(1), review(v1alpha1.DecisionRejected, digestB),
				approvedBy(7, "mara"), func(a *v1alpha1.Article) {
					a.Status.Transitions = append(a.Status.Transitions, v1alpha1.ArticleTransition{Type: v1alpha1.EventPublished, RevisionNumber: 7})
					a.Status.Publication.Post.Revision.Digest = digestA
				}),
			v1alpha1.DisclosureAIAssisted, rev, func(r *v1alpha1.PostRecord) { r.By, r.Note = "mara", "cut" }},
		{"nothing is left of the approval", article(generated), v1alpha1.DisclosureAIAssisted, rev,
			func(r *v1alpha1.PostRecord) { r.By, r.Note, r.DecisionTime = "", "", v1alpha1.NewMicroTime(now) }},
		{"approved by the policy", article(generated, approvedBy(1, "")), v1alpha1.DisclosureAIAutonomous, rev, func(r *v1alpha1.PostRecord) {
			r.Disclosure, r.Decision, r.By, r.Note = v1alpha1.DisclosureAIAutonomous, v1alpha1.RecordAutomatic, "", "cut"
		}},
		{"approved by a person after the policy has sent it",
			article(generated, review(v1alpha1.DecisionApproved, digestA), noted, approvedBy(1, ""), approvedBy(1, "mara")),
			v1alpha1.DisclosureAIAutonomous, rev, func(r *v1alpha1.PostRecord) {
				r.Disclosure, r.Decision, r.By, r.Note = v1alpha1.DisclosureAIAutonomous, v1alpha1.RecordAutomatic, "", "cut"
			}},
		{"the revision is gone", article(generated, review(v1alpha1.DecisionApproved, digestA), noted, approvedBy(1, "mara")), v1alpha1.DisclosureAIAssisted, nil,
			func(r *v1alpha1.PostRecord) { r.Model, r.PromptVersion = "", "" }},
		{"the revision of an earlier text is gone", article(generated, over(1), review(v1alpha1.DecisionRejected, digestB), approvedBy(1, "mara")),
			v1alpha1.DisclosureAIAssisted, nil, func(r *v1alpha1.PostRecord) {
				r.By, r.Note, r.Source, r.Model, r.PromptVersion = "mara", "cut", "", "", ""
			}},
		{"checked against a brief", article(generated, review(v1alpha1.DecisionApproved, digestA), noted, approvedBy(1, "mara")), v1alpha1.DisclosureAIAssisted,
			&v1alpha1.ArticleRevision{Spec: v1alpha1.ArticleRevisionSpec{
				Digest: digestA, Source: v1alpha1.SourceWritten, Brief: &v1alpha1.RevisionBrief{Name: "trail", Digest: digestB},
				Claims: []string{"Figure/unsupported: 42: 42 shoes.", "Figure/other-context §1: 7: 7 shoes.", "Name/wrong-source §2: Mara: Mara runs."},
			}},
			func(r *v1alpha1.PostRecord) {
				r.Source, r.Model, r.PromptVersion, r.BriefDigest, r.UnsupportedClaims = v1alpha1.SourceWritten, "", "", digestB, new(int32(2))
			}},
		{"another revision has its name", article(generated, review(v1alpha1.DecisionApproved, digestA), noted, approvedBy(1, "mara")), v1alpha1.DisclosureAIAssisted,
			&v1alpha1.ArticleRevision{Spec: v1alpha1.ArticleRevisionSpec{Digest: digestB, Source: v1alpha1.SourceWritten}},
			func(r *v1alpha1.PostRecord) { r.Model, r.PromptVersion = "", "" }},
	} {
		want := base
		row.want(&want)
		sent := v1alpha1.PublicationRevision{Name: "shoes-1", Number: 1, Digest: digestA, Disclosure: row.sent}
		if diff := cmp.Diff(want, lifecycle.RecordOf(row.article, nil, sent, row.rev, now)); diff != "" {
			t.Errorf("%s:\n%s", row.name, diff)
		}
	}
}

func TestAPostKeepsTheLastRecords(t *testing.T) {
	var records []v1alpha1.PostRecord
	sent := func(n int) v1alpha1.PublicationRevision {
		return v1alpha1.PublicationRevision{Digest: strconv.Itoa(n), Disclosure: v1alpha1.DisclosureHumanOnly}
	}
	for n := range v1alpha1.MaxRecords + 2 {
		if lifecycle.Recorded(records, sent(n)) {
			t.Errorf("text %d has a record before it has one", n)
		}
		records = lifecycle.AddRecord(records, v1alpha1.PostRecord{Digest: strconv.Itoa(n)})
	}
	last := v1alpha1.MaxRecords + 1
	if len(records) != v1alpha1.MaxRecords || records[0].Digest != "2" || !lifecycle.Recorded(records, sent(last)) {
		t.Errorf("got %d records from %s, want the last %d from 2", len(records), records[0].Digest, v1alpha1.MaxRecords)
	}
	if lifecycle.Recorded(records, sent(5)) {
		t.Error("an earlier text that the site has again has its record already")
	}
	records = lifecycle.AddRecord(records, v1alpha1.PostRecord{Digest: "5"})
	if len(records) != v1alpha1.MaxRecords || records[len(records)-1].Digest != "5" {
		t.Errorf("got %v, want one record of the text that came back, as the last", records)
	}
	if !lifecycle.Recorded(nil, v1alpha1.PublicationRevision{Digest: "1"}) {
		t.Error("a text of a restored status is to be recorded, whose approval is not known")
	}
}

// The live text is not sent again when its author restores it: who approved it stays known.
func TestTheDisclosureOfTheLiveTextStays(t *testing.T) {
	a := article(generated, review(v1alpha1.DecisionApproved, digestA), stage(v1alpha1.StagePublished))
	record.ByPull(a, lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, nil)}, postName, now)
	record.MakeCurrent(a, v1alpha1.CurrentRevision{Name: "shoes-2", Number: 2, Digest: digestB, Source: v1alpha1.SourceEdited})
	review(v1alpha1.DecisionRejected, digestB)(a)
	record.MakeCurrent(a, v1alpha1.CurrentRevision{Name: "shoes-3", Number: 3, Digest: digestA, Source: v1alpha1.SourceGenerated})
	want := v1alpha1.PublicationRevision{Name: "shoes-3", Number: 3, Digest: digestA, Disclosure: v1alpha1.DisclosureAIAssisted}
	if diff := cmp.Diff(&want, a.Status.Publication.Post.Revision); diff != "" {
		t.Error(diff)
	}
}
