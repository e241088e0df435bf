package check

import (
	"embed"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// phraseList are phrases, each a run of tokens, by their first word.
type phraseList map[string][][]string

// prefix returns the phrase with which words begin; nil if they begin with none.
func (l phraseList) prefix(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	for _, phrase := range l[words[0]] {
		if len(phrase) <= len(words) && slices.Equal(phrase, words[:len(phrase)]) {
			return phrase
		}
	}
	return nil
}

func (l phraseList) find(b *block) []string {
	var found []string
	for _, s := range b.sentences {
		for i := range s.Words {
			if phrase := l.prefix(s.Words[i:]); phrase != nil {
				found = append(found, strings.Join(phrase, " "))
			}
		}
	}
	return found
}

// first phrase of a block, or "".
func (l phraseList) first(b *block) string {
	if found := l.find(b); len(found) > 0 {
		return found[0]
	}
	return ""
}

// phraseFiles have a phrase on each line, as tokens: folded, without punctuation. stock-TAG are phrases that language models use far more
// often than people do; closing-TAG begin a last paragraph that says again what the text has said; placeholders are words of a model about
// itself, and of a template that nobody filled in, in any language.
//
//go:embed phrases/*.txt
var phraseFiles embed.FS

func phraseLists(kind string) map[string]phraseList {
	out := map[string]phraseList{}
	for _, tag := range []string{"de", "en", "es", "fr"} {
		out[tag] = readPhrases(kind + "-" + tag)
	}
	return out
}

func readPhrases(name string) phraseList {
	list := phraseList{}
	for line := range strings.Lines(embedded.MustText(phraseFiles, "phrases/"+name+".txt")) {
		if words := strings.Fields(line); len(words) > 0 {
			list[words[0]] = append(list[words[0]], words)
		}
	}
	return list
}

var (
	stockPhrasesOf     = phraseLists("stock")
	closingsOf         = phraseLists("closing")
	placeholderPhrases = readPhrases("placeholders")
)
