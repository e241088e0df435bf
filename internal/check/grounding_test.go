package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// surveyed is a text about walkers, with a brief.
func surveyed(body string, cited ...ground.Citation) check.Input {
	return check.Input{
		Document: content.Document{Title: "Poles for walkers", Markdown: body, Language: "en"}, Generated: true, Cited: cited,
		Material: &ground.Material{
			Facts: []string{"The shop lends poles for 12 euros."},
			Sources: []ground.Source{
				{Name: "survey", Title: "Survey of walkers", URL: "https://survey.example/2025", Text: "Of the walkers, 61 percent carry poles."},
				{Name: "lab", Title: "Sheet of the lab", Text: "The lock held 55 kilograms for a minute."},
			},
		},
	}
}

const supported = "Of the walkers, [61 percent][s1] carry poles.\n\n## Locks\n\nThe lock held 55 kilograms for a minute. The shop lends poles for 12 euros.\n\n" +
	"[s1]: <https://survey.example/2025>"

func TestTheGroupGrounding(t *testing.T) {
	survey, lab := ground.Citation{Words: "61 percent", Source: "survey"}, ground.Citation{Words: "55 kilograms", Source: "lab"}
	invented := strings.ReplaceAll(supported, "12 euros", "77 euros")
	for name, tc := range map[string]struct {
		in check.Input
		// want has a part of the message of each check that fails.
		want map[string]string
	}{
		"everything is supported": {in: surveyed(supported, survey, lab)},
		"a figure that nobody gave": {in: surveyed(invented, survey, lab), want: map[string]string{
			"claims-supported": "the brief does not support 1 of", "claims": `1 claim without support: "77`,
		}},
		"the wrong source": {
			in: surveyed(supported, survey, ground.Citation{Words: "55 kilograms", Source: "survey"}), want: map[string]string{
				"claims-supported": "the brief does not support 1 of", "claims": "is not in survey, which is cited for it",
			},
		},
		"no citation": {in: surveyed("The shop lends poles for 12 euros."), want: map[string]string{
			"citations": "0 citations in 7 words", "sources-used": "the text does not use 2 of 2 sources: survey, lab",
		}},
		"what is no source": {in: surveyed(supported, survey, lab, ground.Citation{Words: "The lock", Source: "gazette"}), want: map[string]string{
			"citations": `the text cites "gazette", which is no source of the brief`,
		}},
		"too few citations": {in: surveyed(supported+"\n\n"+strings.Repeat("Walk on. ", 400), survey), want: map[string]string{
			"citations": "1 citation in 8",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := check.Run(tc.in)
			for _, name := range []string{"claims-supported", "citations", "sources-used", "claims"} {
				f, want := find(t, r, name), tc.want[name]
				if failed := f.Result == check.Failed; failed != (want != "") || !strings.Contains(f.Message, want) {
					t.Errorf("%s is %s: %q, want %q", name, f.Result, f.Message, want)
				}
				if f.Result == check.Failed && (f.Model == "" || f.Target.Part == check.Nothing || f.Must != (name == "claims")) {
					t.Errorf("nobody can mend %+v", f)
				}
			}
			if score, ok := r.GroupScore(check.GroupGrounding); !ok || score == 100 != (len(tc.want) == 0) {
				t.Errorf("the score is %d, %t", score, ok)
			}
		})
	}
}

func TestAClaimNamesTheSectionThatIsToBeWrittenAgain(t *testing.T) {
	in := surveyed(strings.Replace(supported, "for a minute", "for 99 minutes in Quorvale", 1))
	f := find(t, check.Run(in), "claims")
	if want := (check.Target{Part: check.Section, Section: 1}); f.Target != want || !strings.Contains(f.Model, "99 minutes") || !strings.Contains(f.Model, "The lock held 55") {
		t.Errorf("the repair is %+v: %q, want section 1, the claim and its sentence", f.Target, f.Model)
	}
	in = surveyed(supported)
	in.Document.MetaDescription = "All about poles, of which 99 percent break."
	if f := find(t, check.Run(in), "claims"); f.Target.Part != check.Fields || f.Result != check.Failed {
		t.Errorf("the finding is %+v, want the fields", f)
	}
}

// What was checked before there were briefs is checked as it was.
func TestWithoutABriefNothingRestsOnIt(t *testing.T) {
	in := surveyed(strings.ReplaceAll(supported, "12 euros", "77 euros"))
	with := check.Run(in)
	in.Material = nil
	without := check.Run(in)
	if with.SEOScore() != without.SEOScore() || len(without.Claims) > 0 || len(without.Must()) > 0 {
		t.Errorf("the SEO scores are %d and %d, the gates %v", with.SEOScore(), without.SEOScore(), without.Must())
	}
	for _, name := range []string{"claims-supported", "citations", "sources-used", "claims"} {
		if f := find(t, without, name); f.Result != check.NotApplicable || f.MaxPoints != 0 {
			t.Errorf("%s is %+v", name, f)
		}
	}
	if _, ok := without.GroupScore(check.GroupGrounding); ok {
		t.Error("the group has a score")
	}
}

func TestARepairAddsNoClaim(t *testing.T) {
	claims := func(n int) check.Report {
		body := supported
		for i := range n {
			body = strings.Replace(body, "for a minute.", fmt.Sprintf("for a minute, or for %d93 days.", i+7), 1)
			body = strings.Replace(body, "## Locks\n\n", "## Locks\n\nThe lock held 55 kilograms for a minute. ", 1)
		}
		return check.Run(surveyed(body, ground.Citation{Words: "61 percent", Source: "survey"}, ground.Citation{Words: "55 kilograms", Source: "lab"}))
	}
	none, one, five := claims(0), claims(1), claims(5)
	if len(one.Unsupported()) != 1 || len(five.Unsupported()) != 5 {
		t.Fatalf("%d and %d claims, want 1 and 5", len(one.Unsupported()), len(five.Unsupported()))
	}
	// The points are those of a better text, so that the claims alone decide.
	five.Findings = one.Findings
	if check.Better(one, five) || !check.Better(five, one) || check.Better(none, one) {
		t.Error("a repair that goes from one claim to five is better, or one that goes back is not")
	}
}
