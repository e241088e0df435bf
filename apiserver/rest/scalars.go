package rest

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// The types of this file describe their own schemas: the framework calls Schema.

// SiteUID names a site in a request.
type SiteUID string

// Schema describes a SiteUID.
func (SiteUID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "uuid", Description: "uid of a site from list-sites.",
		Examples: []any{"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"},
	}
}

// Slug is the slug that an article should have.
type Slug string

// Schema describes a Slug as the CRD does.
func (Slug) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, MaxLength: new(100), Pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
		PatternDescription: "lower-case letters, digits and single hyphens", Examples: []any{"trail-running-shoes"},
	}
}

// Digest names a text.
type Digest string

// Schema describes a Digest.
func (Digest) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^sha256:[0-9a-f]{64}$", PatternDescription: "the article's revision_digest",
		Description: "revision_digest of the text that you saw: 409 if there is another by now. The current text if absent.",
	}
}

// IdempotencyKey makes a request one that may be repeated.
type IdempotencyKey string

// Schema describes an IdempotencyKey.
func (IdempotencyKey) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, MinLength: new(1), MaxLength: new(255), Examples: []any{"order-4711"},
		Description: "For 24 hours, repeats with the same key and body create and change nothing, whatever has become of the object. " +
			"If the answer has a secret, repeats with the same credential get it again.",
	}
}

// EventName names a kind of event in a request, or all of them.
type EventName string

// Schema describes an EventName.
func (EventName) Schema(huma.Registry) *huma.Schema {
	names := make([]any, 0, 1+len(lifecycle.EventKinds))
	names = append(names, string(allEvents))
	for _, kind := range lifecycle.EventKinds {
		names = append(names, kind.Name)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names}
}

// EventNames name the events that a subscription wants.
type EventNames []EventName

// Schema describes EventNames.
func (EventNames) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeArray, Items: EventName("").Schema(r), Description: "* alone for all.",
		MinItems: new(1), MaxItems: new(len(lifecycle.EventKinds)), UniqueItems: true,
	}
}
