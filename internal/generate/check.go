package generate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

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
	profile := language.For(cmp.Or(r.Language, "en"))
	for _, word := range wordsToAvoid(r) {
		if profile.Needs(word) {
			const format = "avoidWords has %q, without which no text can be written in the language %q"
			return invalidRequest(fmt.Sprintf(format, strings.TrimSpace(word), profile.Base()))
		}
	}
	return nil
}

func invalidRequest(message string) *Error {
	return &Error{Reason: v1alpha1.ReasonInvalidRequest, Message: message}
}
