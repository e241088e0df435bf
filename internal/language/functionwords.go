package language

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

//go:embed functionwords/*.txt
var functionWordFiles embed.FS

// wordLists are the function words of all languages that have a list.
type wordLists struct {
	// languages in alphabetical order.
	languages []string
	// of has the languages in which a word is a function word.
	of map[string][]string
}

// functionWords reads the lists at the first use: they take memory, and some programs need none. No text in them is an error.
var functionWords = sync.OnceValue(func() *wordLists {
	lists := &wordLists{of: map[string][]string{}}
	for name, text := range embedded.MustTexts(functionWordFiles, "functionwords/*.txt") {
		language := strings.TrimSuffix(path.Base(name), ".txt")
		lists.languages = append(lists.languages, language)
		for word := range strings.FieldsSeq(text) {
			lists.of[word] = append(lists.of[word], language)
		}
	}
	return lists
})

// kindred are languages whose function words do not tell them apart.
var kindred = [][]string{{"id", "ms"}, {"da", "no"}, {"bs", "hr", "sr"}}

// kinOf returns a language and those that are not told from it, if they have lists.
func kinOf(base string) []string {
	kin := []string{base}
	for _, group := range kindred {
		if slices.Contains(group, base) {
			kin = group
		}
	}
	return slices.DeleteFunc(slices.Clone(kin), func(base string) bool { return !slices.Contains(functionWords().languages, base) })
}

// IsFunctionWord reports whether a word, as Words has it, carries grammar rather than meaning. It is false in a language without
// a list.
func (p *Profile) IsFunctionWord(word string) bool {
	return slices.Contains(functionWords().of[word], p.base)
}

// ContentWords returns the words of a text without function words; all of them if it has no others or the language has no list.
func (p *Profile) ContentWords(text string) []string {
	words := Words(text)
	content := make([]string, 0, len(words))
	for _, word := range words {
		if !p.IsFunctionWord(word) {
			content = append(content, word)
		}
	}
	if len(content) == 0 {
		return words
	}
	return content
}

// Needs reports whether no text of the language can be written without a word. It is false in a language of which such words are not
// known, and for phrases.
func (p *Profile) Needs(word string) bool {
	return slices.Contains(p.traits.Indispensable, strings.ToLower(strings.TrimSpace(word)))
}
