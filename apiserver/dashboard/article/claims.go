package article

import (
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// claims are those of a text that its brief does not support.
type claims struct {
	// Brief that the text was checked against; nil if there was none.
	Brief *restarticle.TextBrief
	// Counting are those that the gate counts, and Hints the others.
	Counting, Hints []claim
	// More is how many others there are, of which the revision has no sentence.
	More int
}

// claim is one claim with its sentence in parts.
type claim struct {
	restarticle.Claim

	// Why says what is wrong with it.
	Why string
	// Heading of the section that it stands in; empty before the first one.
	Heading string
	// Before and After are what of the sentence stands around the words. Both are empty if the sentence does not have them.
	Before, After string
	// Within reports whether the sentence has the words.
	Within bool
}

// whys say what is wrong with a claim, by its result.
var whys = map[string]string{
	"unsupported":   "No source and no fact has it.",
	"wrong_source":  "Another source has it than the one that is cited.",
	"other_context": "The brief has it in a sentence about something else.",
}

// classWords are the classes of claims in words.
var classWords = map[string]string{
	"figure": "Figure", "name": "Name", "quotation": "Quotation", "address": "Address", "study": "Study",
}

// ClassWord is the class of the claim in words.
func (c claim) ClassWord() string { return classWords[c.Class] }

func claimOf(c restarticle.Claim, sections []content.Section) claim {
	out := claim{Claim: c, Why: whys[c.Result]}
	if c.Section != nil && *c.Section <= len(sections) {
		out.Heading = sections[*c.Section-1].Heading
	}
	if words := strings.TrimSuffix(c.Words, "…"); words != "" {
		out.Before, out.After, out.Within = strings.Cut(c.Sentence, words)
		out.Words = words
	}
	if !out.Within {
		out.Before = ""
	}
	return out
}

func sortClaims(a restarticle.Article) claims {
	out := claims{Brief: a.Brief}
	sections := content.Sections(a.ContentMarkdown)
	for _, c := range a.Claims {
		if c.Counts() {
			out.Counting = append(out.Counting, claimOf(c, sections))
		} else {
			out.Hints = append(out.Hints, claimOf(c, sections))
		}
	}
	if a.UnsupportedClaims != nil {
		out.More = max(0, int(*a.UnsupportedClaims)-len(out.Counting))
	}
	return out
}

// Say says how many claims there are to check.
func (c claims) Say() string {
	n := len(c.Counting) + c.More
	if n == 1 {
		return "The brief does not support 1 claim."
	}
	return "The brief does not support " + page.Plural(n, "claim") + "."
}

// shownAtOnce is how many claims a page shows before the others are folded.
const shownAtOnce = 8

// claimPart is a part of a list of claims.
func (c claims) part(all []claim) (shown, folded []claim) {
	n := min(len(all), shownAtOnce)
	if len(all) == shownAtOnce+1 {
		n++
	}
	return all[:n], all[n:]
}

// Shown are the first of those that count, and Folded the others.
func (c claims) Shown() []claim {
	shown, _ := c.part(c.Counting)
	return shown
}

// Folded are those that count and that are not shown at once.
func (c claims) Folded() []claim {
	_, folded := c.part(c.Counting)
	return folded
}

// support is a claim that the brief supports.
type support struct {
	claim

	// Source is the title of the source, and URL its address; both are empty for a fact.
	Source, URL, Passage string
}

// Supports are the claims that the brief supports, with their passages.
func (a *articleView) Supports() []support {
	out := make([]support, 0, len(a.Evidence.Supported))
	for _, s := range a.Evidence.Supported {
		out = append(out, support{claimOf(s.Claim, nil), s.Source, s.URL, s.Passage})
	}
	return out
}
