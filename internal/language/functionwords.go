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
	// words, and the sets of languages in which they are function words, by the number of the word plus 1. The first set is empty.
	words vocabulary
	sets  []uint64
	// seen has a bit for each hash of a word, by its lower bits: most words of texts are told by it.
	seen [1 << (seenBits - 6)]uint64
}

const seenBits = 17

// find returns the index of the set of a word.
func (l *wordLists) find(hash uint32, word []byte) uint32 {
	if at := hash % (1 << seenBits); l.seen[at/64]&(1<<(at%64)) == 0 {
		return 0
	}
	return l.words.find(hash, word)
}

// of returns the set of languages in which a word is a function word.
func (l *wordLists) of(word []byte) uint64 { return l.sets[l.find(hashOf(word), word)] }

// functionWords reads the lists at the first use.
var functionWords = sync.OnceValue(readLists)

func readLists() *wordLists {
	lists := &wordLists{words: newVocabulary(), sets: make([]uint64, 1)}
	const folder = "functionwords"
	// The folder is part of the program: it can be read, and it has fewer than maxLists files (a test holds both).
	entries, err := functionWordFiles.ReadDir(folder)
	if err != nil {
		return lists
	}
	for _, entry := range entries {
		data, err := functionWordFiles.ReadFile(folder + "/" + entry.Name())
		if err != nil {
			return lists
		}
		bit := uint64(1) << len(lists.languages)
		lists.languages = append(lists.languages, strings.TrimSuffix(entry.Name(), ".txt"))
		for word := range strings.FieldsSeq(string(data)) {
			hash := hashOf([]byte(word))
			w, at := lists.words.add(hash, []byte(word)), hash%(1<<seenBits)
			lists.seen[at/64] |= 1 << (at % 64)
			if int(w)+1 == len(lists.sets) {
				lists.sets = append(lists.sets, 0)
			}
			lists.sets[w+1] |= bit
		}
	}
	return lists
}

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
	return p.list != 0 && functionWords().of([]byte(word))&p.list != 0
}

// ContentWords returns the words of a text without function words; all of them if it has no others or the language has no list.
func (p *Profile) ContentWords(text string) []string {
	words := Words(text)
	if p.list == 0 {
		return words
	}
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
