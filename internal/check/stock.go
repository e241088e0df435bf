package check

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// phraseIndex finds phrases in a sentence by their first word.
type phraseIndex map[string][][]string

// indexPhrases makes an index of phrases, one on each line.
func indexPhrases(lines string) phraseIndex {
	index := phraseIndex{}
	for line := range strings.Lines(lines) {
		if words := strings.Fields(line); len(words) > 0 {
			index[words[0]] = append(index[words[0]], words)
		}
	}
	return index
}

// find returns the phrases that are among the tokens of a sentence.
func (x phraseIndex) find(tokens []string) []string {
	var found []string
	for i := range tokens {
		if phrase := x.begins(tokens[i:]); phrase != "" {
			found = append(found, phrase)
		}
	}
	return found
}

// begins returns the phrase with which tokens begin, or "".
func (x phraseIndex) begins(tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	for _, phrase := range x[tokens[0]] {
		if len(phrase) <= len(tokens) && slices.Equal(phrase, tokens[:len(phrase)]) {
			return strings.Join(phrase, " ")
		}
	}
	return ""
}

// phraseFiles have a phrase on each line, as tokens: folded, without punctuation. stock-TAG are phrases that language models use far more
// often than people do; closing-TAG begin a last paragraph that says again what the text has said; placeholders are words of a model about
// itself, and of a template that nobody filled in, in any language.
//
//go:embed phrases/*.txt
var phraseFiles embed.FS

// phraseLists are the lists of a kind by their language.
func phraseLists(kind string) map[string]phraseIndex {
	out := map[string]phraseIndex{}
	for _, tag := range []string{"de", "en", "es", "fr"} {
		out[tag] = readPhrases(kind + "-" + tag)
	}
	return out
}

// readPhrases reads a list. The files are part of the program: a test holds that each has phrases.
func readPhrases(name string) phraseIndex {
	data, err := phraseFiles.ReadFile("phrases/" + name + ".txt")
	if err != nil {
		return phraseIndex{}
	}
	return indexPhrases(string(data))
}

var (
	stockIndexes       = sync.OnceValue(func() map[string]phraseIndex { return phraseLists("stock") })
	closingIndexes     = sync.OnceValue(func() map[string]phraseIndex { return phraseLists("closing") })
	placeholderIndexes = sync.OnceValue(func() phraseIndex { return readPhrases("placeholders") })
)
