package article

import "github.com/danielgtaylor/huma/v2"

// The types of this file describe their own schemas: the framework calls Schema.

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
