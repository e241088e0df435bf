// Package generate turns a request for an article into a document, by a language model or without one.
package generate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// Request describes the wanted article and its voice. Prompts contain it as JSON; the fields without a name there have a text of their own,
// or none.
type Request struct {
	// Keyword that the article is written for.
	Keyword string `json:"keyword"`
	// SecondaryKeywords that it also covers.
	SecondaryKeywords []string `json:"secondary_keywords,omitempty"`
	// Language of the text as a BCP 47 tag; en if empty.
	Language string `json:"language"`
	// Tone of the text, such as "friendly and precise"; may be empty.
	Tone string `json:"tone,omitempty"`
	// Audience that the text is for; may be empty.
	Audience string `json:"audience,omitempty"`
	// AvoidWords may not appear in the text, except those that a keyword contains.
	AvoidWords []string `json:"avoid_words,omitempty"`
	// SiteName and Domain of the site that publishes it.
	SiteName string `json:"site_name,omitempty"`
	Domain   string `json:"domain,omitempty"`
	// Guide and Examples are how the site writes, in its own words; may be empty.
	Guide    string   `json:"guide,omitempty"`
	Examples []string `json:"examples,omitempty"`
	// Length of the text; Standard if empty.
	Length v1alpha1.ArticleLength `json:"-"`
	// Rejected is the reviewer's reason for rejecting the previous text; empty if nobody did. The prompt asks for a text without it.
	Rejected string `json:"-"`
	// Links are published articles of the site that the text may link to, the most fitting first. At most MaxLinks count.
	Links []Link `json:"-"`
	// Site is what is known of the site's other articles; nil if nothing is.
	Site *Site `json:"-"`
	// MaxTokens is how many tokens the run may take, input and output together; 0 for any number. A run that would need more to
	// finish ends with the reason ArticleTokensExceeded. It passes the number by one turn at the most.
	MaxTokens int64 `json:"-"`
	// Refresh is a generated text that the site has: the run keeps it, and repairs what our checks find in it. If it is nil, the run writes
	// a new one. The built-in generator ignores it.
	Refresh *content.Document `json:"-"`
	// Material is what the text may rest on; nil if there is no brief. Prompts contain the facts, and the sources by name and title.
	Material *ground.Material `json:"-"`
	// Citations says what becomes of citations of the sources; Links if empty.
	Citations v1alpha1.CitationPolicy `json:"-"`
	// Instructions of the brief and of the article; may be empty.
	Instructions string `json:"instructions,omitempty"`
}

// Result is a written article.
type Result struct {
	// Document is normalized by the generator, and by nobody after it: the recorder replaces only fields other than the body, and
	// calls content.Complete.
	Document content.Document
	// Report is what our checks find in the document.
	Report check.Report
	// Model that answered, as the endpoint named it; empty for the built-in generator.
	Model string
	// Cited are the citations of the document, whose names of sources are no longer in it.
	Cited []ground.Citation
	// Usage of all turns.
	Usage Usage
	// PromptVersion of the prompts; empty for the built-in generator.
	PromptVersion string
	// Repairs that were asked for after the first text that could be used, in order.
	Repairs []Repair
}

// Usage is the number of turns, and of tokens as the endpoint counted them.
type Usage struct {
	InputTokens, OutputTokens int64
	// CachedTokens are those of the input that the endpoint had in its cache.
	CachedTokens int64
	// EstimatedTokens are those of turns that the endpoint did not count, about. They are in none of the others.
	EstimatedTokens int64
	// Turns are questions that were answered.
	Turns int64
}

// Repair is a turn that asked for a part of the text again.
type Repair struct {
	// Part that was asked for: fields, body, introduction, or the heading of a section.
	Part string `json:"part"`
	// Checks that the part had failed.
	Checks []string `json:"checks"`
	// Kept is whether the answer was better than what it replaces.
	Kept bool `json:"kept"`
	// Points that the text has gained.
	Points int `json:"points"`
	// Tokens of the turn.
	Tokens int64 `json:"tokens"`
}

// Progress is called when a step begins. Steps count from 1.
type Progress func(step, steps int)

// Generator writes articles. An error is an *Error, or the context's own if the context was cancelled.
type Generator interface {
	Generate(ctx context.Context, r Request, progress Progress) (Result, error)
}

// maxTokens is the API's bound of a count; a larger one is clamped.
const maxTokens = 1_000_000_000

func (u Usage) plus(other Usage) Usage {
	sum := func(a, b int64) int64 { return min(a+min(max(b, 0), maxTokens), maxTokens) }
	return Usage{
		InputTokens: sum(u.InputTokens, other.InputTokens), OutputTokens: sum(u.OutputTokens, other.OutputTokens),
		CachedTokens: sum(u.CachedTokens, other.CachedTokens), EstimatedTokens: sum(u.EstimatedTokens, other.EstimatedTokens),
		Turns: sum(u.Turns, other.Turns),
	}
}

// Check returns an *Error with the reason InvalidRequest if every attempt to write what the request asks for would fail, for words
// that it forbids. It asks no model.
func Check(g Generator, r Request) error {
	if err := CheckWords(r); err != nil {
		return err
	}
	if built, ok := g.(outliner); ok {
		return built.check(r)
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
