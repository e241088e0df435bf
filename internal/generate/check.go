package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// functionWords are words without which no text of a language can be written, by the language.
var functionWords = map[string][]string{
	"de": {"das", "dem", "den", "der", "die", "ein", "eine", "für", "in", "ist", "mit", "und", "von", "zu"},
	"en": {"a", "an", "and", "for", "in", "is", "it", "of", "the", "to"},
	"es": {"a", "de", "el", "en", "es", "la", "las", "los", "que", "un", "una", "y"},
	"fr": {"de", "des", "du", "en", "est", "et", "la", "le", "les", "un", "une", "à"},
	"it": {"che", "di", "e", "il", "in", "la", "le", "per", "un", "una", "è"},
	"nl": {"de", "een", "en", "het", "in", "is", "te", "van", "voor"},
	"pt": {"a", "as", "de", "e", "em", "o", "os", "que", "um", "uma", "é"},
}

// checker is a generator that can say in advance that it cannot write what a request asks for.
type checker interface{ check(r Request) error }

// Check returns an *Error with the reason InvalidRequest if every attempt to write what the request asks for would fail, for words
// that it forbids. It asks no model.
func Check(g Generator, r Request) error {
	if err := CheckWords(r); err != nil {
		return err
	}
	if c, ok := g.(checker); ok {
		return c.check(r)
	}
	return nil
}

// CheckWords returns an *Error with the reason InvalidRequest if the request forbids a word without which no text of its language
// can be written.
func CheckWords(r Request) error {
	language, _, _ := strings.Cut(r.Language, "-")
	if language == "" {
		language = "en"
	}
	for _, word := range wordsToAvoid(r) {
		if slices.Contains(functionWords[strings.ToLower(language)], strings.ToLower(strings.TrimSpace(word))) {
			const format = "avoidWords has %q, without which no text can be written in the language %q"
			return invalidRequest(fmt.Sprintf(format, strings.TrimSpace(word), language))
		}
	}
	return nil
}

func invalidRequest(message string) *Error {
	return &Error{Reason: v1alpha1.ReasonInvalidRequest, Message: message}
}
