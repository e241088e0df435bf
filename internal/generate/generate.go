// Package generate turns a request for an article into a document, by a language model or without one.
package generate

import (
	"context"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// Request describes the wanted article and its voice.
type Request struct {
	// Keyword that the article is written for.
	Keyword string
	// SecondaryKeywords that it also covers.
	SecondaryKeywords []string
	// Tone of the text, such as "friendly and precise"; may be empty.
	Tone string
	// Language of the text as a BCP 47 tag; en if empty.
	Language string
	// Audience that the text is for; may be empty.
	Audience string
	// AvoidWords may not appear in the text, except those that a keyword contains.
	AvoidWords []string
	// SiteName and Domain of the site that publishes it.
	SiteName string
	Domain   string
}

// Result is a written article.
type Result struct {
	// Document is normalized by the generator, and by nobody after it: the recorder replaces only fields other than the body, and
	// calls content.Complete.
	Document content.Document
	// Model that answered, as the endpoint named it; empty for the built-in generator.
	Model string
	// Usage of all turns.
	Usage Usage
}

// Usage is the number of tokens that the endpoint counted.
type Usage struct {
	InputTokens, OutputTokens int64
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
	return Usage{InputTokens: sum(u.InputTokens, other.InputTokens), OutputTokens: sum(u.OutputTokens, other.OutputTokens)}
}
