// Package content handles an article's text: it normalizes Markdown, renders safe HTML, and makes slugs and digests.
// Everything in it is deterministic and does no I/O.
package content

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"strings"

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
	// Tags, Category and Author of the post. Most articles have none.
	Tags             []string
	Category, Author string
	// Image is the featured image of the post; nil if there is none. It has no file before it was fetched.
	Image *v1alpha1.RevisionImage
}

// digestDomain separates these digests from any other use of SHA-256 and numbers the encoding. Approvals name digests, so
// the encoding may never change under the same number.
const digestDomain = "pressroom.dev/content/v1\n"

// Digest names the content: "sha256:" and the lower-case hex SHA-256 of the domain, then of title, slug, Markdown, meta
// title, meta description and language, then of the number of questions, then of each question and answer, and then of
// each of the other fields that is set: its name, its number of values, and these. A text is written as its length in bytes
// (8 bytes, big-endian) and its bytes, a number as 8 bytes, so that no two documents have the same encoding.
func (d Document) Digest() string {
	h := sha256.New()
	h.Write([]byte(digestDomain))
	for _, field := range []string{d.Title, d.Slug, d.Markdown, d.MetaTitle, d.MetaDescription, d.Language} {
		writeText(h, field)
	}
	writeNumber(h, uint64(len(d.FAQ)))
	for _, f := range d.FAQ {
		writeText(h, f.Question)
		writeText(h, f.Answer)
	}
	writeIfSet(h, "tags", d.Tags...)
	writeIfSet(h, "category", d.Category)
	writeIfSet(h, "author", d.Author)
	if i := d.Image; i != nil {
		writeIfSet(h, "image", i.URL, i.Alt, i.Credit, i.SHA256)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// writeIfSet writes a field that documents did not always have: one without it keeps its digest.
func writeIfSet(h hash.Hash, name string, values ...string) {
	if strings.Join(values, "") == "" {
		return
	}
	writeText(h, name)
	writeNumber(h, uint64(len(values)))
	for _, value := range values {
		writeText(h, value)
	}
}

func writeText(h hash.Hash, s string) {
	writeNumber(h, uint64(len(s)))
	h.Write([]byte(s))
}

func writeNumber(h hash.Hash, n uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	h.Write(b[:])
}
