// Package language knows what the languages of articles have: words, sentences, stems, function words and limits. It is pure: the
// same text gives the same answer, whatever else happens. What is not known of a language is never guessed.
package language

import (
	"cmp"
	"embed"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// Profile is what is known of one language. It does not change, so concurrent use is safe.
type Profile struct {
	base   string
	script string
	// letters are the tables of script, and of the other script that the language is written in if the tag names none; empty if the
	// script is not known.
	letters []*unicode.RangeTable
	stemmer stemmer
	// kin are the language and those that are not told from it, if they have function words.
	kin    []string
	traits traits
}

//go:embed languages.yaml
var languagesFile embed.FS

// traits of a language that its words do not tell.
type traits struct {
	Sentence      int      `json:"sentence"`
	Filters       bool     `json:"filters"`
	Compounds     bool     `json:"compounds"`
	OtherScript   string   `json:"otherScript"`
	Alphabet      string   `json:"alphabet"`
	TwoLetters    []string `json:"twoLetters"`
	Abbreviations []string `json:"abbreviations"`
	Indispensable []string `json:"indispensable"`
	Leading       []string `json:"leading"`
	FAQ           []string `json:"faq"`
}

// languages are by their bases.
var languages = embedded.MustYAML[map[string]traits](languagesFile, "languages.yaml")

// usualSentence is the most words that a sentence should have in a language of which nothing else is known.
const usualSentence = 20

// For returns the profile of a BCP 47 tag. Regions do not matter: de-CH is German. A tag that is not valid or not known gets a
// neutral profile, which knows nothing.
func For(tag string) *Profile {
	base, script, other := parse(tag)
	p := &Profile{
		base: base, script: script, stemmer: stemmers[base], kin: kinOf(base), traits: languages[base],
	}
	if tables := scripts[script]; tables != nil {
		p.letters = slices.Concat(tables, scripts[other])
	}
	return p
}

// Base returns the base of a tag, such as de of de-CH; "" if the tag is not valid.
func Base(tag string) string {
	base, _, _ := parse(tag)
	return base
}

func parse(tag string) (base, script, otherScript string) {
	parsed, err := language.Parse(strings.TrimSpace(tag))
	if err != nil || parsed == language.Und {
		return "", "", ""
	}
	b, confidence := parsed.Base()
	if confidence == language.No {
		return "", "", ""
	}
	s, _ := parsed.Script()
	base, script = b.String(), s.String()
	if _, named, _ := parsed.Raw(); named == (language.Script{}) {
		otherScript = languages[base].OtherScript
	}
	switch base {
	case "nb", "nn":
		return "no", script, otherScript
	case "und":
		return "", script, otherScript
	default:
		return base, script, otherScript
	}
}

// Base of the profile's tag; "" if it is neutral.
func (p *Profile) Base() string { return p.base }

// SentenceLimit is the most words that a sentence should have.
func (p *Profile) SentenceLimit() int { return cmp.Or(p.traits.Sentence, usualSentence) }

// Leading are words that begin so many sentences that only the word behind them says whether two sentences begin alike; none if they are
// not known.
func (p *Profile) Leading() []string { return p.traits.Leading }

// FAQ are the usual headings of a section of frequently asked questions; none if they are not known.
func (p *Profile) FAQ() []string { return p.traits.FAQ }

// Traditional reports whether the language is Chinese in its traditional script, as that of zh-TW is.
func (p *Profile) Traditional() bool { return p.base == "zh" && p.script == "Hant" }

// KnowsFunctionWords reports whether function words are told from words of content, and left out of keywords.
func (p *Profile) KnowsFunctionWords() bool { return p.traits.Filters }

// MarksSentences reports whether the end of a sentence is known to have a mark.
func (p *Profile) MarksSentences() bool { return p.base != "" && !marklessScripts[p.script] }

// HasLetterCase reports whether the script has capitals. In such scripts, long words have many letters.
func (p *Profile) HasLetterCase() bool {
	return p.script == latin || p.script == cyrillic || p.script == "Grek"
}

// marklessScripts are written without marks at the end of a sentence.
var marklessScripts = map[string]bool{"Thai": true, "Laoo": true, "Khmr": true, "Mymr": true}
