package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

const (
	// wordsPerCitation is how many words of a text may have one citation, if there are sources.
	wordsPerCitation = 300
	// namedClaims is how many claims a message names.
	namedClaims = 3
)

// withBrief makes a check that does not apply without a brief.
func withBrief(run func(*facts) Finding) func(*facts) Finding {
	return func(f *facts) Finding {
		if f.Material == nil {
			return notApplicable("there is no brief")
		}
		return run(f)
	}
}

// counted returns the claims that the gate counts.
func (f *facts) counted() []ground.Claim { return Report{Claims: f.claims}.Unsupported() }

func claimsSupported(f *facts) Finding {
	wrong, all := f.counted(), len(f.claims)
	if len(wrong) == 0 {
		return pass(perfect, "%s: the brief supports all", count(all, "claim", "claims"))
	}
	found := fault(perfect*(all-len(wrong))/all, "the brief does not support %d of %s", len(wrong), count(all, "claim", "claims"))
	return f.mendClaims(found, wrong)
}

func claimsGate(f *facts) Finding {
	wrong := f.counted()
	if len(wrong) == 0 {
		return pass(0, "the brief supports every claim that the text makes")
	}
	named := make([]string, 0, namedClaims)
	for _, c := range wrong[:min(len(wrong), namedClaims)] {
		named = append(named, describe(c))
	}
	more := ""
	if len(wrong) > namedClaims {
		more = fmt.Sprintf(", and %d more", len(wrong)-namedClaims)
	}
	found := fault(0, "%s without support: %s%s", count(len(wrong), "claim", "claims"), strings.Join(named, ", "), more)
	return f.mendClaims(found, wrong)
}

// describe names a claim with what is wrong with it.
func describe(c ground.Claim) string {
	words := shorten(c.Words, 50)
	if c.Result == ground.WrongSource {
		return fmt.Sprintf("%q is not in %s, which is cited for it", words, c.Cited)
	}
	return fmt.Sprintf("%q", words)
}

// MustBe says to people what to do about a claim that the gate counts.
func MustBe(c ground.Claim) string {
	switch {
	case c.Result == ground.WrongSource && c.Source != "":
		return fmt.Sprintf("cite %s, which has it, or leave it out", c.Source)
	case c.Result == ground.WrongSource:
		return "cite the source that has it, or leave it out"
	case c.Class == ground.Study:
		return "cite the source of it, or leave it out"
	default:
		return "leave it out, or add what supports it to the brief"
	}
}

// mendClaims asks for the part with most of the claims again. The parts with fewer have their turn after it.
func (f *facts) mendClaims(found Finding, wrong []ground.Claim) Finding {
	in := map[int]int{}
	for _, c := range wrong {
		in[c.Section]++
	}
	most := slices.MaxFunc(wrong, func(a, b ground.Claim) int { return cmp.Compare(in[a.Section], in[b.Section]) })
	target := Target{Part: Fields}
	if most.Section >= 0 {
		target = section(most.Section)
	}
	var asks []string
	for _, c := range wrong {
		if c.Section == most.Section && len(asks) < namedClaims {
			asks = append(asks, ask(c))
		}
	}
	return found.mend(target, "%s", strings.Join(asks, " "))
}

// ask says to a model what to do about a claim.
func ask(c ground.Claim) string {
	in := quote(c.Words)
	if c.Sentence != "" && c.Sentence != c.Words {
		in = fmt.Sprintf("%s in the sentence %q", quote(c.Words), shorten(c.Sentence, 120))
	}
	switch {
	case c.Result == ground.WrongSource && c.Source != "":
		return fmt.Sprintf("%s is not in %q: cite %q for it.", in, c.Cited, c.Source)
	case c.Result == ground.WrongSource:
		return fmt.Sprintf("%s is not in %q: leave it out.", in, c.Cited)
	case c.Class == ground.Study:
		return fmt.Sprintf("Leave out %s, or cite the source that says so.", in)
	default:
		return fmt.Sprintf("Leave out %s: no source and no fact has it.", in)
	}
}

// knownCitations are those of sources of the brief.
func (f *facts) knownCitations() []ground.Citation {
	return slices.DeleteFunc(slices.Clone(f.Cited), func(c ground.Citation) bool { return !f.isSource(c.Source) })
}

func (f *facts) isSource(name string) bool {
	return slices.ContainsFunc(f.Material.Sources, func(s ground.Source) bool { return s.Name == name })
}

// citationCount returns how often the text cites a source. A citation of a generated text can be a link as well: it counts once.
func (f *facts) citationCount() int {
	links := 0
	for _, l := range f.body.Links {
		if slices.ContainsFunc(f.Material.Sources, func(s ground.Source) bool { return s.URL != "" && s.URL == l.URL }) {
			links++
		}
	}
	return max(links, len(f.knownCitations()))
}

// canCite reports whether citations of the text can be seen: an author's text has no names of sources.
func (f *facts) canCite() bool {
	return f.Generated || len(f.Cited) > 0 || slices.ContainsFunc(f.Material.Sources, func(s ground.Source) bool { return s.URL != "" })
}

func citations(f *facts) Finding {
	if len(f.Material.Sources) == 0 {
		return notApplicable("the brief has no sources")
	}
	if !f.canCite() {
		return notApplicable("no source of the brief has a URL")
	}
	names := make([]string, 0, len(f.Material.Sources))
	for _, s := range f.Material.Sources {
		names = append(names, s.Name)
	}
	for _, c := range f.Cited {
		if !f.isSource(c.Source) {
			return fault(partly(false), "the text cites %s, which is no source of the brief", quote(c.Source)).
				mend(f.sectionWith(c.Words), "%s is no source: cite one of %s, or none.", quote(c.Source), strings.Join(names, ", "))
		}
	}
	has, wants := f.citationCount(), max(1, f.words/wordsPerCitation)
	if has >= wants {
		return pass(perfect, "%s in %d words", count(has, "citation", "citations"), f.words)
	}
	const message = "%s in %d words; there should be one in %d words"
	const ask = "Where a sentence rests on a source, cite it as [words][name], with one of the names %s."
	return fault(perfect*has/wants, message, count(has, "citation", "citations"), f.words, wordsPerCitation).
		mend(f.sectionToCite(), ask, strings.Join(names, ", "))
}

// sectionWith returns the section of the first block that has some words, or the whole body.
func (f *facts) sectionWith(words string) Target {
	for _, b := range f.blocks {
		if words != "" && strings.Contains(b.Text, words) {
			return section(b.Section)
		}
	}
	return Target{Part: Whole}
}

// sectionToCite returns the section with most claims that a source supports, or the longest.
func (f *facts) sectionToCite() Target {
	weight := map[int]int{}
	for _, b := range f.blocks {
		weight[b.Section] += b.words
	}
	const perClaim = 1000
	for _, c := range f.claims {
		if c.Section >= 0 && c.Source != "" && c.Cited == "" {
			weight[c.Section] += perClaim
		}
	}
	best, most := -1, 0
	for at, w := range weight {
		if w > most || w == most && at < best {
			best, most = at, w
		}
	}
	if best < 0 {
		return Target{Part: Whole}
	}
	return section(best)
}

func sourcesUsed(f *facts) Finding {
	sources := f.Material.Sources
	if len(sources) == 0 {
		return notApplicable("the brief has no sources")
	}
	used := map[string]bool{}
	for _, c := range f.Cited {
		used[c.Source] = true
	}
	for _, c := range f.claims {
		used[c.Source], used[c.Cited] = true, true
	}
	var unused []string
	for _, s := range sources {
		linked := s.URL != "" && slices.ContainsFunc(f.body.Links, func(l content.Link) bool { return l.URL == s.URL })
		if !used[s.Name] && !linked {
			unused = append(unused, s.Name)
		}
	}
	if len(unused) == 0 {
		return pass(perfect, "the text uses %s", count(len(sources), "source", "sources"))
	}
	return fault(perfect*(len(sources)-len(unused))/len(sources), "the text does not use %d of %s: %s",
		len(unused), count(len(sources), "source", "sources"), shorten(strings.Join(unused, ", "), 200)).
		mend(f.sectionToCite(), "Say and cite what these sources have for readers: %s.", strings.Join(unused, ", "))
}
