// Package content handles an article's text: it normalizes Markdown, renders safe HTML, and makes slugs and digests.
// Everything in it is deterministic and does no I/O.
package content

import (
	"errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Bounds of a document, equal to those of the API's ArticleContent and ArticleRevision; the body's is v1alpha1.MaxMarkdownBytes.
// Characters are Unicode code points.
const (
	// MaxTitleChars bounds the title and the meta title.
	MaxTitleChars = 300
	// MaxMetaDescriptionChars bounds the meta description.
	MaxMetaDescriptionChars = 1000
	// MaxSlugBytes bounds a slug, which is ASCII.
	MaxSlugBytes = 100
	// MaxFAQ bounds the number of questions.
	MaxFAQ = 50
	// MaxQuestionChars bounds one question.
	MaxQuestionChars = 500
	// MaxAnswerChars bounds one answer.
	MaxAnswerChars = 5000
	// MaxLanguageBytes bounds a language tag, which is ASCII.
	MaxLanguageBytes = 35
)

// The errors of Normalize and HTML; compare with errors.Is.
var (
	// ErrNoTitle is returned if there is neither a title nor a first-level heading to take it from.
	ErrNoTitle = errors.New("the article has no title")
	// ErrNoBody is returned if the body is empty without its title line.
	ErrNoBody = errors.New("the article has no text")
	// ErrTooLong is returned if the body or its HTML is over the bound.
	ErrTooLong = errors.New("the article is too long")
	// ErrTooComplex is returned if the body nests or repeats so much markup that parsing would take very long.
	ErrTooComplex = errors.New("the article's markup is too complex")
)

// Document is an article's content.
type Document struct {
	// Title in plain text.
	Title string
	// Slug is a proposal, and may be empty.
	Slug string
	// Markdown is the body: CommonMark with GitHub's tables, without the title and without the FAQ.
	Markdown string
	// MetaTitle is for the HTML title element.
	MetaTitle string
	// MetaDescription is for the meta description element.
	MetaDescription string
	// Language of the text as a BCP 47 tag; may be empty.
	Language string
	// FAQ is not part of the body.
	FAQ []v1alpha1.FAQ
}
