package check

import (
	"regexp"
	"strings"

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
	written := spelled(tokens)
	for _, s := range b.sentences {
		if !hasRun(s.Words, tokens) {
			continue
		}
		if found := written.FindString(s.Text); found != "" {
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

// spelled matches tokens with signs and blanks between them, in any case.
func spelled(tokens []string) *regexp.Regexp {
	parts := make([]string, len(tokens))
	for i, token := range tokens {
		parts[i] = regexp.QuoteMeta(token)
	}
	return regexp.MustCompile("(?i)" + strings.Join(parts, `[^\pL\pN]+`))
}
