package check

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// namedCheck is a check with its place in the report.
type namedCheck struct {
	name  string
	group Group
	most  int
	run   func(*facts) Finding
}

// pass is the finding of a check that has nothing to mend.
func pass(points int, format string, arguments ...any) Finding {
	return Finding{Result: Passed, Points: points, Message: fmt.Sprintf(format, arguments...)}
}

// fault is the finding of a check with something to mend.
func fault(points int, format string, arguments ...any) Finding {
	return Finding{Result: Failed, Points: points, Message: fmt.Sprintf(format, arguments...), Target: Target{Part: Nothing}}
}

// partly returns the points for what is not as it should be, and fewer if it is far from that.
func partly(far bool) int {
	if far {
		return 3
	}
	return 6
}

// notApplicable is the finding of a check that has nothing to look at.
func notApplicable(why string) Finding { return Finding{Result: NotApplicable, Message: why} }

// mend says how a model can mend a fault: the part to ask for, and what to do.
func (f Finding) mend(target Target, format string, arguments ...any) Finding {
	f.Target, f.Model = target, fmt.Sprintf(format, arguments...)
	return f
}

// The bounds of the passages of a finding.
const maxPassages, maxPassageChars = 20, 300

// at names passages of the body that a fault is about. Empty ones are left out.
func (f Finding) at(passages ...string) Finding {
	for _, passage := range passages {
		if passage != "" && len(f.Passages) < maxPassages && !slices.Contains(f.Passages, passage) {
			f.Passages = append(f.Passages, cut(passage, maxPassageChars))
		}
	}
	return f
}

// cut returns the first characters of a text.
func cut(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit])
}

func (c namedCheck) finding(f *facts) Finding {
	out := c.run(f)
	out.Check, out.Group = c.name, c.group
	out.Message, out.Model = shorten(out.Message, 300), shorten(out.Model, 600)
	if out.Result != NotApplicable {
		out.MaxPoints = c.most
	}
	if out.Model != "" {
		out.Gain = max(0, c.most-out.Points)
	}
	out.Must = out.Result == Failed && c.group == GroupGate
	return out
}

// shorten cuts a text to a number of characters.
func shorten(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}

// quote cuts a text for a message.
func quote(text string) string { return fmt.Sprintf("%q", shorten(text, 100)) }

// times says how often something is.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

// timesFrom says how often something should be.
func timesFrom(least, most int) string {
	switch {
	case least == most:
		return times(least)
	case least == 1 && most == 2:
		return "once or twice"
	default:
		return fmt.Sprintf("%d to %d times", least, most)
	}
}

// count writes a number with a noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Order returns the place of a check in a report. A check that this version does not have comes after all others.
func Order(name string) int {
	if i := slices.IndexFunc(checks, func(c namedCheck) bool { return c.name == name }); i >= 0 {
		return i
	}
	return len(checks)
}

// checks in the order in which they are reported.
var checks = []namedCheck{
	{"keyphrase-in-introduction", GroupSEO, perfect, withKeyword(keyphraseInIntroduction)},
	{"keyphrase-length", GroupSEO, perfect, withKeyword(keyphraseLength)},
	{"keyphrase-function-words", GroupSEO, perfect, withKeyword(keyphraseFunctionWords)},
	{"keyphrase-density", GroupSEO, perfect, withKeyword(keyphraseDensity)},
	{"keyphrase-in-meta-description", GroupSEO, perfect, withKeyword(keyphraseInDescription)},
	{"keyphrase-in-subheadings", GroupSEO, perfect, withKeyword(keyphraseInHeadings)},
	{"keyphrase-in-image-text", GroupSEO, perfect, withKeyword(keyphraseInImages)},
	{"keyphrase-in-seo-title", GroupSEO, perfect, withKeyword(keyphraseInTitle)},
	{"keyphrase-in-slug", GroupSEO, perfect, withKeyword(keyphraseInSlug)},
	{"competing-links", GroupSEO, 8, withKeyword(competingLinks)},
	{"meta-description-length", GroupSEO, perfect, descriptionLength},
	{"seo-title-width", GroupSEO, perfect, titleWidth},
	{"text-length", GroupSEO, perfect, textLength},
	{"outbound-links", GroupSEO, perfect, outboundLinks},
	{"internal-links", GroupSEO, perfect, internalLinks},
	{"images", GroupSEO, perfect, images},
	{"single-h1", GroupSEO, 8, singleH1},

	{"sentence-length", GroupReadability, perfect, sentenceLength},
	{"paragraph-length", GroupReadability, perfect, paragraphLength},
	{"section-length", GroupReadability, perfect, sectionLength},
	{"sentence-beginnings", GroupReadability, perfect, sentenceBeginnings},
	{"lix", GroupReadability, perfect, lix},

	{"stock-phrases", GroupStyle, perfect, stockPhrases},
	{"repeated-phrases", GroupStyle, perfect, repeatedPhrases},
	{"even-paragraphs", GroupStyle, perfect, evenParagraphs},
	{"closing-moral", GroupStyle, perfect, closingMoral},
	{"bold-bullets", GroupStyle, perfect, boldBullets},

	{"requested-length", GroupSite, perfect, requestedLength},
	{"secondary-keywords", GroupSite, perfect, secondaryKeywords},
	{"unique-keyword", GroupSite, perfect, uniqueKeyword},

	{"claims-supported", GroupGrounding, perfect, withBrief(claimsSupported)},
	{"citations", GroupGrounding, perfect, withBrief(citations)},
	{SourcesUsedCheck, GroupGrounding, perfect, withBrief(sourcesUsed)},

	{"language", GroupGate, 0, languageGate},
	{"avoided-words", GroupGate, 0, avoidedWords},
	{"placeholders", GroupGate, 0, placeholders},
	{"remains", GroupGate, 0, remains},
	{"near-duplicate", GroupGate, 0, nearDuplicateGate},
	{ClaimsCheck, GroupGate, 0, withBrief(claimsGate)},
}
