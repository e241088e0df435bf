// Package modeltext reads what a language model writes: of an answer it returns the text that was asked for, without what models, their
// templates and their servers put around it and into it.
//
// A text for readers has no reasoning, no calls of tools, no tokens of a template, no marks of citations, no code fence and no front matter
// around it, and no words to the person who asked for it. What is code stays as it is: an article about such signs shows them in code.
package modeltext

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// maxPasses bounds how often an answer is read: what is left of one wrapping may have another one. Answers that are not made to be hostile
// take two or three.
const maxPasses = 10

// Body returns the Markdown of an answer. It is empty if the answer has none: then it must be asked for again. Body of a body is the same
// body.
func Body(answer string) string { return body(answer) }

// body takes the first steps before those that are for every answer.
func body(answer string, first ...step) string {
	text := strings.ReplaceAll(strings.TrimPrefix(answer, "\uFEFF"), "\r\n", "\n")
	text = untilStable(text, finalChannel, leadingElement(element.isHidden), afterReasoning)
	if len(text) > v1alpha1.MaxMarkdownBytes {
		// It can be no text, and would take long to read.
		return text
	}
	return untilStable(text, slices.Concat([]step{
		finalChannel, leadingElement(element.isHidden), afterReasoning, withoutElements(element.isHidden), answered, withoutTokens,
	}, first, []step{withoutCitations, withoutFrontMatter, unfenced, withoutWordsAround})...)
}

// CitedBody is Body for an answer that may cite sources: citations by number, such as [1] and [^1], stay as [source: 1].
func CitedBody(answer string) string {
	return body(answer, unfenced, numbersNamed)
}

// WithoutReasoning returns an answer without reasoning: data that was asked for is left, in a call of a tool as well.
func WithoutReasoning(answer string) string {
	return untilStable(answer,
		finalChannel, leadingElement(element.isReasoning), afterReasoning, withoutElements(element.isReasoning))
}

// step takes something off a text.
type step func(*reader, string) string

// untilStable takes steps until none changes the text. A text that does not become stable is of no use.
func untilStable(text string, steps ...step) string {
	r := &reader{}
	text = strings.TrimSpace(text)
	for range maxPasses {
		before := text
		for _, take := range steps {
			text = strings.TrimSpace(take(r, text))
		}
		if text == before {
			return text
		}
	}
	return ""
}
