package check

import (
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

func indexAll(lists map[string]string) map[string]phraseIndex {
	out := map[string]phraseIndex{}
	for tag, lines := range lists {
		out[tag] = indexPhrases(lines)
	}
	return out
}

var (
	stockIndexes       = sync.OnceValue(func() map[string]phraseIndex { return indexAll(stockLists) })
	closingIndexes     = sync.OnceValue(func() map[string]phraseIndex { return indexAll(closingLists) })
	placeholderIndexes = sync.OnceValue(func() phraseIndex { return indexPhrases(placeholderList) })
)
