package language

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// minJudged is the number of words from which function words tell a language.
	minJudged = 40
	// minShare is the least share of function words, in percent, that a text has in its own language.
	minShare = 10
	// maxPassage bounds the passage that Fit quotes, in characters.
	maxPassage = 200
)

// Fit says whether a text is in a language.
type Fit struct {
	// OK is false if the text, or a paragraph of 40 words or more, is in another language or another script.
	OK bool
	// Found is the base tag of the language that it is in instead; empty if that is not known.
	Found string
	// Passage is the beginning of the first foreign paragraph; empty if the text as a whole is foreign.
	Passage string
}

// Fits says whether a text is in the language of a BCP 47 tag. Blank lines separate its paragraphs. A text of fewer than 40 words, or
// in a language without function words, is judged by its script. A tag that is not valid fits every text.
func Fits(tag, text string) Fit { return For(tag).Fits(text) }

// Fits says whether a text is in the profile's language; see the function of this name.
func (p *Profile) Fits(text string) Fit { return p.FitsAll(strings.Split(text, "\n\n")) }

// FitsAll says whether paragraphs are in the profile's language; see Fits.
func (p *Profile) FitsAll(paragraphs []string) Fit {
	if p.base == "" {
		return Fit{OK: true}
	}
	var all []string
	var letters letterCount
	passage := Fit{OK: true}
	for _, paragraph := range paragraphs {
		from := len(all)
		all = AppendWords(all, paragraph)
		own := p.countLetters(paragraph)
		letters.add(own)
		if words := all[from:]; passage.OK && len(words) >= minJudged {
			if fit := p.judge(words, own, false); !fit.OK {
				passage = Fit{Found: fit.Found, Passage: beginning(paragraph)}
			}
		}
	}
	if fit := p.judge(all, letters, true); !fit.OK {
		return fit
	}
	return passage
}

// judge looks at the words of a text or a paragraph. A paragraph may have few function words in every language: a list of names does.
func (p *Profile) judge(words []string, letters letterCount, whole bool) Fit {
	if !p.inScript(letters) {
		found := p.likeliest(words)
		// Names and code are in Latin letters everywhere.
		return Fit{Found: found, OK: !whole && found == "" && letters.mostlyLatin()}
	}
	if p.list == 0 || len(words) < minJudged {
		return Fit{OK: true}
	}
	lists := functionWords()
	var counts [maxLists]int
	lists.count(words, &counts)
	own := counts[slices.Index(lists.languages, p.base)]
	if sister := slices.Index(lists.languages, sisters[p.base]); sister >= 0 {
		own = max(own, counts[sister])
	}
	best := slices.Max(counts[:])
	few := own*100 < minShare*len(words)
	foreign := best*100 >= minShare*len(words)
	switch {
	case foreign && tooFew(own, best):
		return Fit{Found: lists.languages[slices.Index(counts[:], best)]}
	case few && whole:
		return Fit{}
	default:
		return Fit{OK: true}
	}
}

// sisters are languages whose function words do not tell them apart.
var sisters = map[string]string{"id": "ms", "ms": "id", "da": "no", "no": "da"}

// tooFew reports whether a language has so much fewer function words in a text than another that the text is in the other. Kindred
// languages share many of them, and their lists differ in length.
func tooFew(own, best int) bool { return own*10 < best*9 }

// likeliest returns the language that has the most function words among these, if they tell.
func (p *Profile) likeliest(words []string) string {
	if len(words) < minJudged {
		return ""
	}
	lists := functionWords()
	var counts [maxLists]int
	lists.count(words, &counts)
	best := slices.Max(counts[:])
	if best*100 < minShare*len(words) {
		return ""
	}
	return lists.languages[slices.Index(counts[:], best)]
}

// beginning of a paragraph, on one line.
func beginning(paragraph string) string {
	line := strings.Join(strings.Fields(paragraph), " ")
	if utf8.RuneCountInString(line) <= maxPassage {
		return line
	}
	return string([]rune(line)[:maxPassage-1]) + "…"
}
