package revision_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// Readers of the REST API get the points and the message of each check, although a revision has a line for each.
func TestTheScoresOfARevisionAreThoseOfTheReport(t *testing.T) {
	for name, in := range map[string]check.Input{
		"a text with a keyword": {Document: document, Keyword: "trail shoes", SiteURL: "https://acme.example"},
		"a short text":          {Document: content.Document{Title: "T", Markdown: "Text."}, MinWords: 100, MaxWords: 200},
		"a text that fails gates": {
			Document: content.Document{Title: "Shoes: a guide", Markdown: "As an AI language model, I cannot run: sorry.", Language: "en"},
			Keyword:  "shoes", AvoidWords: []string{"run"}, Site: &check.Site{SameKeyword: []string{"other"}},
		},
		"a text with a brief": {
			Document: content.Document{Title: "Shoes", Markdown: "Shoes are light.", Language: "en"},
			Material: &ground.Material{Sources: []ground.Source{{Name: "survey", Title: "Survey", URL: "https://survey.example", Text: "Light."}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := check.Run(in)
			scores := revision.Scores(report)
			want := slices.Clone(report.Findings)
			for i := range want {
				want[i].Target, want[i].Gain, want[i].Model, want[i].Passages = check.Target{}, 0, "", nil
			}
			if diff := cmp.Diff(want, revision.Findings(&scores)); diff != "" {
				t.Errorf("the findings are not those of the report:\n%s", diff)
			}
			var groups []revision.GroupScore
			for _, g := range check.Groups() {
				if score, ok := report.GroupScore(g); ok {
					groups = append(groups, revision.GroupScore{Group: g, Score: int32(score)})
				}
			}
			if diff := cmp.Diff(groups, revision.GroupScores(&scores)); diff != "" {
				t.Errorf("the scores of groups are not those of the report:\n%s", diff)
			}
		})
	}
}

func TestALineOfAScoreSaysWhatAPersonAsks(t *testing.T) {
	scores := revision.Score(content.Document{Title: "Huts", Markdown: "The huts are open."}, check.Input{})
	const want = `^SEO/text-length -20/9: the text has 4 words; it should have at least 300, and with fewer than 100, the score is at most the number of words$`
	if !slices.ContainsFunc(scores.Failed, regexp.MustCompile(want).MatchString) {
		t.Errorf("no line is %s:\n%q", want, scores.Failed)
	}
}

// A later version may have checks that this one does not know, and a revision never changes.
func TestAnUnknownCheckComesLast(t *testing.T) {
	got := revision.Findings(&v1alpha1.Scores{
		Passed: []string{"Facts/sources 3/9: two sources"}, Failed: []string{"SEO/text-length -20/9: the text has 4 words"},
		NotApplicable: []string{"SEO/keyphrase-density: there is no keyword"},
	})
	want := []check.Finding{
		{Check: "keyphrase-density", Group: check.GroupSEO, Result: check.NotApplicable, Message: "there is no keyword"},
		{Check: "text-length", Group: check.GroupSEO, Result: check.Failed, Points: -20, MaxPoints: 9, Message: "the text has 4 words"},
		{Check: "sources", Group: "Facts", Result: check.Passed, Points: 3, MaxPoints: 9, Message: "two sources"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
