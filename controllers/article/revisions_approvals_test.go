package article

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// subjects are what the texts of the golden are about. Each text has what the gate for claims looks for: figures, names, quotations,
// addresses and studies.
var subjects = []struct{ keyword, place, person, figure string }{
	{"trail running shoes", "Chamonix", "Mara Lind", "42 percent"}, {"mountain huts", "Zermatt", "Urs Keller", "1,250 beds"},
	{"winter tents", "Tromsø", "Ingrid Moe", "-18 degrees"}, {"city bicycles", "Utrecht", "Pieter de Vries", "31.5 km"},
	{"coffee grinders", "Trieste", "Anna Rossi", "€249"}, {"sourdough bread", "San Francisco", "James O'Neil", "78 % water"},
	{"rooftop gardens", "Singapore", "Lim Wei Ling", "3 of 4 tenants"}, {"night trains", "Vienna", "Eva Brandt", "2027"},
	{"electric kettles", "Leeds", "Tom Hart", "1.7 litres"}, {"language courses", "Lisbon", "Rita Sousa", "12 weeks"},
}

// body returns a text of so many paragraphs about a subject.
func body(s struct{ keyword, place, person, figure string }, paragraphs int) string {
	forms := []string{
		"Most readers ask about %[1]s first, and a survey of %[2]s found that %[4]s is the usual answer.",
		"%[3]s from %[2]s says that \"nobody should buy %[1]s without a second look at them\". That is good advice.",
		"You find the list at https://www.example.org/%[5]s and the rest on example.net. Studies show that people compare three offers.",
		"What matters in %[2]s matters elsewhere: the weather, the price, and who repairs it. In 2024 it was the price.",
		"Ask for %[1]s in a shop that lets you try them. Experts say an hour is enough, and %[3]s agrees.",
	}
	var b strings.Builder
	for n := range paragraphs {
		if n > 0 && n%3 == 0 {
			fmt.Fprintf(&b, "## Question %d about %s\n\n", n/3, s.keyword)
		}
		fmt.Fprintf(&b, forms[n%len(forms)]+"\n\n", s.keyword, s.place, s.person, s.figure, strings.ReplaceAll(s.keyword, " ", "-"))
	}
	return b.String()
}

// twists are the ways in which a text of the golden differs from a plain one.
var twists = []struct {
	name string
	do   func(*check.Input, *v1alpha1.Site)
}{
	{"plain", func(*check.Input, *v1alpha1.Site) {}},
	{"generated", func(in *check.Input, _ *v1alpha1.Site) { in.Generated = true }},
	{"short", func(in *check.Input, _ *v1alpha1.Site) { in.Document.Markdown = in.Document.Markdown[:120] }},
	{"without a keyword", func(in *check.Input, _ *v1alpha1.Site) { in.Keyword = "" }},
	{"a placeholder", func(in *check.Input, _ *v1alpha1.Site) { in.Document.Markdown += "\nWrite to [insert name here]." }},
	{"filler", func(in *check.Input, _ *v1alpha1.Site) {
		in.Document.Markdown += "\nLorem ipsum dolor sit amet, consectetur adipiscing elit."
	}},
	{"a remain", func(in *check.Input, _ *v1alpha1.Site) {
		in.Generated = true
		in.Document.Markdown += "\nSo it is.<|im_end|>"
	}},
	{"an assistant's excuse", func(in *check.Input, _ *v1alpha1.Site) {
		in.Document.Markdown += "\nAs an AI language model, I cannot visit the place."
	}},
	{"an avoided word", func(in *check.Input, _ *v1alpha1.Site) { in.AvoidWords = []string{"price"} }},
	{"an avoided word that is absent", func(in *check.Input, _ *v1alpha1.Site) { in.AvoidWords = []string{"zeppelin"} }},
	{"another language", func(in *check.Input, _ *v1alpha1.Site) { in.Document.Language = "de" }},
	{"a foreign paragraph", func(in *check.Input, _ *v1alpha1.Site) {
		in.Document.Markdown += "\n" + strings.Repeat("Die meisten Leute fragen zuerst nach dem Preis, und das ist auch nicht falsch, weil er sich ändert. ", 4)
	}},
	{"published almost so", func(in *check.Input, _ *v1alpha1.Site) { in.Site = &check.Site{NearDuplicates: []string{"other"}} }},
	{"with the same keyword as another", func(in *check.Input, _ *v1alpha1.Site) { in.Site = &check.Site{SameKeyword: []string{"other"}} }},
	{"a figure in the title", func(in *check.Input, _ *v1alpha1.Site) { in.Document.Title = "7,000 reasons: " + in.Document.Title }},
	{"questions", func(in *check.Input, _ *v1alpha1.Site) {
		in.Document.FAQ = []v1alpha1.FAQ{{Question: "How much in 2031?", Answer: "About 99 dollars, said Dr. Nobody."}}
	}},
	{"a minimum score", func(_ *check.Input, s *v1alpha1.Site) { s.Spec.Review.MinimumScore = 36 }},
	{"a minimum score out of reach", func(_ *check.Input, s *v1alpha1.Site) { s.Spec.Review.MinimumScore = 100 }},
	{"a length that was asked for", func(in *check.Input, _ *v1alpha1.Site) { in.MinWords, in.MaxWords = 900, 1400 }},
	{"reviewed by a person", func(_ *check.Input, s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewManual }},
}

// The golden was recorded before there were Briefs. A text without one is approved, or held back for the same gates, as then.
func TestATextWithoutABriefIsApprovedAsBeforeThereWereBriefs(t *testing.T) {
	const paragraphs = 12
	var got strings.Builder
	for _, s := range subjects {
		for _, twist := range twists {
			in := check.Input{Keyword: s.keyword, SiteURL: "https://acme.example", Document: content.Document{
				Title: "What to know about " + s.keyword, Slug: strings.ReplaceAll(s.keyword, " ", "-"), MetaTitle: "All about " + s.keyword,
				MetaDescription: "What " + s.person + " found out about " + s.keyword + " in " + s.place + ".", Language: "en", Markdown: body(s, paragraphs),
			}}
			site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "acme.example", Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic}}}
			twist.do(&in, site)
			fmt.Fprintf(&got, "%s, %s: %s\n", s.keyword, twist.name, approvalOf(in, site))
		}
	}
	want, err := os.ReadFile(filepath.Join("testdata", "approvals.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(want), "\n"); n != 200 {
		t.Errorf("the golden has %d texts, want 200", n)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("the approvals are not those before there were Briefs (-want +got):\n%s", diff)
	}
}

// approvalOf returns what the condition Approved says of a text, and the gates that it fails.
func approvalOf(in check.Input, site *v1alpha1.Site) string {
	a := &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{Title: in.Document.Title, Markdown: in.Document.Markdown}}}
	rev := revision.New(a, in.Document, revision.Origin{Number: 1, Source: v1alpha1.SourceWritten, Scores: revision.Score(in.Document, in)})
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Number: 1, Digest: "the digest", ContentHash: lifecycle.ContentHash(a.Spec.Content), Source: v1alpha1.SourceWritten,
		SEOScore: rev.Spec.Scores.SEOScore, FailedGates: failedGates(rev),
	}
	lifecycle.Summarize(a, site, lifecycle.Target{Mode: lifecycle.Push}, time.Unix(0, 0), lifecycle.Blockers{})
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	return fmt.Sprintf("%s/%s %v %s", c.Status, c.Reason, a.Status.Revision.FailedGates, c.Message)
}
