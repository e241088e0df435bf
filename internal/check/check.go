// Package check rates an article by named checks and says what each found and what must be. It is pure: the same input gives the same
// report. One list of findings feeds the score, the repair of generated texts and the review.
package check

import (
	"slices"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// Input is what the checks look at.
type Input struct {
	Document content.Document
	// Keyword that the article is about; without one, the checks of keywords do not apply.
	Keyword string
	// SecondaryKeywords should be in the text in any form.
	SecondaryKeywords []string
	// AvoidWords may not be in the text in any form, if the keywords do not have them.
	AvoidWords []string
	// SiteURL decides which links stay on the site. Without it only relative links do.
	SiteURL string
	// MinWords and MaxWords that the request asks for; 0 if it asks for no length.
	MinWords, MaxWords int
	// Generated is whether a model wrote the body.
	Generated bool
	// Site is what is known of the site's other articles; nil if nothing is.
	Site *Site
	// Material that the text may rest on. If it is nil, there is no brief: no claims are looked for, and neither the checks of Grounding
	// nor the gate claims apply.
	Material *ground.Material
	// Cited are the citations that the text had before the names of sources were taken out of it, also those of names that are no source.
	Cited []ground.Citation
}

// Site is what is known of a site's other articles.
type Site struct {
	// SameKeyword names articles with the same keyword.
	SameKeyword []string
	// NearDuplicates names the published articles with almost the same text.
	NearDuplicates []string
	// Linkable is the number of articles that this one could link to.
	Linkable int
}

// Group of checks.
type Group string

// The groups. Only GroupSEO makes the SEO score, and only GroupGate has checks that stop an article.
const (
	GroupSEO         Group = "SEO"
	GroupReadability Group = "Readability"
	GroupStyle       Group = "Style"
	GroupSite        Group = "Site"
	GroupGrounding   Group = "Grounding"
	GroupGate        Group = "Gate"
)

// Groups in the order of a report.
func Groups() []Group {
	return []Group{GroupSEO, GroupReadability, GroupStyle, GroupSite, GroupGrounding, GroupGate}
}

// Checks that others ask for by name.
const (
	// ClaimsCheck is the gate that fails if the brief does not support a claim.
	ClaimsCheck = "claims"
	// SourcesUsedCheck finds sources of the brief that the text does not use.
	SourcesUsedCheck = "sources-used"
)

// Result of a check.
type Result string

// The results of a check.
const (
	Passed        Result = "passed"
	Failed        Result = "failed"
	NotApplicable Result = "not_applicable"
)

// Part of an article.
type Part int

// The parts that a repair can ask for.
const (
	// Fields are the title, the meta fields and the slug.
	Fields Part = iota
	// Section is one section of the body.
	Section
	// Whole is the body.
	Whole
	// Nothing that a model writes would mend the finding.
	Nothing
)

// Target is what a repair has to ask for.
type Target struct {
	Part Part
	// Section is an index into content.Sections if the part is a Section.
	Section int
}

// Finding is the outcome of one check.
type Finding struct {
	// Check names the check. Names are part of the API: add to them, do not rename.
	Check  string
	Group  Group
	Result Result
	// Must is true for a failed gate: the article is not approved automatically.
	Must bool
	// Points of MaxPoints. Both are 0 for gates; points may be below 0.
	Points, MaxPoints int
	// Target of a repair, and Gain, the points that it can win.
	Target Target
	Gain   int
	// Model says what to do to a model, and Message what is and what must be to people.
	Model, Message string
	// Passages of the body that a failed check is about, in the order of the text, as plain text on one line: at most maxPassages of
	// at most maxPassageChars characters. Empty if the check is about something that is missing, or about the whole text.
	Passages []string
}

// Report has a finding for each check, in a fixed order.
type Report struct {
	Findings []Finding
	// Claims of the text, in its order, supported ones too; none without a brief.
	Claims []ground.Claim
	// Words of the body.
	Words int
}

// perfect is the most points that a check has.
const perfect = 9

// Run runs all checks.
func Run(in Input) Report {
	f := gather(in)
	r := Report{Claims: f.claims, Words: f.words}
	for _, c := range checks {
		r.Findings = append(r.Findings, c.finding(f))
	}
	return r
}

// SEOScore is the score of the group seo, 0 to 100.
func (r Report) SEOScore() int {
	score, _ := r.GroupScore(GroupSEO)
	return score
}

// GroupScore is round(100 x points / (9 x checks)) of a group, 0 to 100; false if none of its checks applies. The score of the group seo is
// at most the number of words if the text has fewer than 100: its title, slug and description would have points before it says anything.
func (r Report) GroupScore(g Group) (int, bool) {
	points, most := 0, 0
	for _, f := range r.Findings {
		if f.Group == g && f.Result != NotApplicable && f.MaxPoints > 0 {
			points += f.Points
			most += perfect
		}
	}
	if most == 0 {
		return 0, false
	}
	highest := 100
	if g == GroupSEO && r.Words < scoredWords {
		highest = r.Words
	}
	return max(0, min(highest, (200*points+most)/(2*most))), true
}

// Points is the sum of the points of all groups.
func (r Report) Points() int {
	sum := 0
	for _, f := range r.Findings {
		sum += f.Points
	}
	return sum
}

// Failed returns the findings of checks that failed.
func (r Report) Failed() []Finding {
	return r.where(func(f Finding) bool { return f.Result == Failed })
}

// Must returns the findings of gates that failed.
func (r Report) Must() []Finding {
	return r.where(func(f Finding) bool { return f.Must })
}

func (r Report) where(keep func(Finding) bool) []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return !keep(f) })
}

// Unsupported returns the claims that the gate counts.
func (r Report) Unsupported() []ground.Claim {
	return slices.DeleteFunc(slices.Clone(r.Claims), func(c ground.Claim) bool { return !c.Counts() })
}

// Better reports whether a repair may replace a draft: no gate fails that did not fail before, no more claims are without support, and the
// points are not fewer.
func Better(draft, repair Report) bool {
	failed := draft.Must()
	isNew := func(f Finding) bool {
		return !slices.ContainsFunc(failed, func(old Finding) bool { return old.Check == f.Check })
	}
	return !slices.ContainsFunc(repair.Must(), isNew) && len(repair.Unsupported()) <= len(draft.Unsupported()) &&
		repair.Points() >= draft.Points()
}
