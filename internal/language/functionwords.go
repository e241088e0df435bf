package language

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// maxLists is the number of bits in the set of languages that a word has.
const maxLists = 64

//go:embed functionwords/*.txt
var functionWordFiles embed.FS

// wordLists are the function words of all languages that have a list.
type wordLists struct {
	// languages in the order of their bits.
	languages []string
	// sets of languages, as bits, in which a word is a function word.
	sets map[string]uint64
}

// functionWords reads the lists at the first use.
var functionWords = sync.OnceValue(func() *wordLists {
	lists := &wordLists{sets: map[string]uint64{}}
	const folder = "functionwords"
	// The folder is part of the program: it can be read, and it has fewer than maxLists files (a test holds both).
	entries, err := functionWordFiles.ReadDir(folder)
	if err != nil {
		return lists
	}
	for i, entry := range entries {
		data, err := functionWordFiles.ReadFile(folder + "/" + entry.Name())
		if err != nil {
			return lists
		}
		lists.languages = append(lists.languages, strings.TrimSuffix(entry.Name(), ".txt"))
		for word := range strings.FieldsSeq(string(data)) {
			lists.sets[word] |= 1 << i
		}
	}
	return lists
})

// bit of a language; 0 if it has no list.
func (l *wordLists) bit(base string) uint64 {
	if i := slices.Index(l.languages, base); i >= 0 {
		return 1 << i
	}
	return 0
}

// kindred are languages whose function words do not tell them apart.
var kindred = [][]string{{"id", "ms"}, {"da", "no"}, {"bs", "hr", "sr"}}

// kinOf returns the bits of a language and of those that are not told from it.
func kinOf(base string) uint64 {
	set := functionWords().bit(base)
	for _, group := range kindred {
		if slices.Contains(group, base) {
			for _, kin := range group {
				set |= functionWords().bit(kin)
			}
		}
	}
	return set
}

// IsFunctionWord reports whether a word, as Words has it, carries grammar rather than meaning. It is false in a language without
// a list.
func (p *Profile) IsFunctionWord(word string) bool {
	return functionWords().sets[word]&p.list != 0
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
