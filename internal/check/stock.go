package check

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// phraseList is a list of phrases in the numbers of a reader's words. They are the first words that it reads, so that most words of a text
// are told from those that begin a phrase by their number alone.
type phraseList struct {
	reader *language.Reader
	// known is false if there is no list for the language.
	known bool
	// begun are the phrases by their first word.
	begun [][][]language.Word
}

func newPhraseList(r *language.Reader, phrases [][]string) phraseList {
	list := phraseList{reader: r, known: len(phrases) > 0}
	for _, phrase := range phrases {
		words := r.Phrase(phrase)
		if missing := int(words[0]) + 1 - len(list.begun); missing > 0 {
			list.begun = append(list.begun, make([][][]language.Word, missing)...)
		}
		list.begun[words[0]] = append(list.begun[words[0]], words)
	}
	return list
}

// begins returns the phrase with which words begin; nil if they begin with none.
func (l phraseList) begins(words []language.Word) []language.Word {
	if len(words) == 0 || int(words[0]) >= len(l.begun) {
		return nil
	}
	for _, phrase := range l.begun[words[0]] {
		// The second word decides nearly always.
		if len(phrase) > len(words) || len(phrase) > 1 && phrase[1] != words[1] {
			continue
		}
		if slices.Equal(phrase, words[:len(phrase)]) {
			return phrase
		}
	}
	return nil
}

// find calls a function for each phrase in the sentences of a block.
func (l phraseList) find(b *block, see func(phrase []language.Word)) {
	for _, s := range b.sentences {
		if int(s.First) >= len(l.begun) {
			continue
		}
		words := l.reader.WordsOf(s)
		for i, w := range words {
			// Nearly no word begins a phrase.
			if int(w) >= len(l.begun) {
				continue
			}
			if phrase := l.begins(words[i:]); phrase != nil {
				see(phrase)
			}
		}
	}
}

// first phrase of a block, or "".
func (l phraseList) first(b *block) string {
	found := ""
	l.find(b, func(phrase []language.Word) {
		if found == "" {
			found = l.text(phrase)
		}
	})
	return found
}

func (l phraseList) text(phrase []language.Word) string {
	words := make([]string, 0, len(phrase))
	for _, w := range phrase {
		words = append(words, l.reader.Text(w))
	}
	return strings.Join(words, " ")
}

// lists that the checks look words up in.
type lists struct {
	stock, closing, placeholders phraseList
	leading                      wordSet
	knowsLeading                 bool
}

// wordSet is a set of words with small numbers.
type wordSet []bool

func (s *wordSet) add(w language.Word) {
	for int(w) >= len(*s) {
		*s = append(*s, false)
	}
	(*s)[w] = true
}

func (s wordSet) has(w language.Word) bool { return int(w) < len(s) && s[w] }

func newLists(r *language.Reader) lists {
	base := r.Profile().Base()
	leading, known := leadingWords[base]
	l := lists{knowsLeading: known}
	for _, w := range r.Phrase(leading) {
		l.leading.add(w)
	}
	l.stock = newPhraseList(r, stockPhrasesOf()[base])
	l.closing = newPhraseList(r, closingsOf()[base])
	l.placeholders = newPhraseList(r, placeholderPhrases())
	return l
}

// phraseFiles have a phrase on each line, as tokens: folded, without punctuation. stock-TAG are phrases that language models use far more
// often than people do; closing-TAG begin a last paragraph that says again what the text has said; placeholders are words of a model about
// itself, and of a template that nobody filled in, in any language.
//
//go:embed phrases/*.txt
var phraseFiles embed.FS

// phraseLists are the lists of a kind by their language.
func phraseLists(kind string) map[string][][]string {
	out := map[string][][]string{}
	for _, tag := range []string{"de", "en", "es", "fr"} {
		out[tag] = readPhrases(kind + "-" + tag)
	}
	return out
}

// readPhrases reads a list. The files are part of the program: a test holds that each has phrases.
func readPhrases(name string) [][]string {
	data, err := phraseFiles.ReadFile("phrases/" + name + ".txt")
	if err != nil {
		return nil
	}
	var phrases [][]string
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 0 {
			phrases = append(phrases, words)
		}
	}
	return phrases
}

var (
	stockPhrasesOf     = sync.OnceValue(func() map[string][][]string { return phraseLists("stock") })
	closingsOf         = sync.OnceValue(func() map[string][][]string { return phraseLists("closing") })
	placeholderPhrases = sync.OnceValue(func() [][]string { return readPhrases("placeholders") })
)
