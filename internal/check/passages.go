package check

import (
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// sentencesWhere returns the sentences of the body that a condition holds for.
func (f *facts) sentencesWhere(holds func(language.Sentence) bool) (texts []string) {
	for _, b := range f.blocks {
		for _, s := range b.sentences {
			if holds(s) {
				texts = append(texts, s.Text)
			}
		}
	}
	return texts
}

// inText returns how a phrase, which is a run of tokens, is written in a block: the first time that it is there. If it is not written in
// the letters of the tokens, that is its sentence.
func inText(b *block, phrase string) string {
	tokens := strings.Fields(phrase)
	for _, s := range b.sentences {
		if !hasRun(s.Words, tokens) {
			continue
		}
		if found := spelled(s.Text, tokens); found != "" {
			return found
		}
		return s.Text
	}
	return ""
}

func hasRun(words, phrase []string) bool {
	for i := range words {
		if language.StartsWith(words[i:], phrase) {
			return true
		}
	}
	return false
}

// everywhere returns how a phrase is written in each block that has it.
func (f *facts) everywhere(phrase string) (texts []string) {
	for _, b := range f.blocks {
		if text := inText(b, phrase); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// spelled returns the first place in a text where tokens stand with signs and blanks between them, in any case; empty if there is none. It
// is no regular expression: to compile one with all letters in it for each phrase takes longer than all checks.
func spelled(text string, tokens []string) string {
	for i := range text {
		if rest, ok := cutRun(text[i:], tokens); ok {
			return text[i : len(text)-len(rest)]
		}
	}
	return ""
}

// cutRun returns what follows tokens at the beginning of a text.
func cutRun(text string, tokens []string) (rest string, ok bool) {
	for i, token := range tokens {
		if i > 0 {
			next := strings.IndexFunc(text, language.IsWordRune)
			if next <= 0 {
				return "", false
			}
			text = text[next:]
		}
		for _, want := range token {
			r, size := utf8.DecodeRuneInString(text)
			if !strings.EqualFold(string(r), string(want)) {
				return "", false
			}
			text = text[size:]
		}
	}
	return text, true
}
