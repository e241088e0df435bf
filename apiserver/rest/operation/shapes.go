package operation

import (
	"github.com/danielgtaylor/huma/v2"
)

// Envelope is embedded in every answer that is 2xx.
type Envelope struct {
	Success bool `json:"success" enum:"true" doc:"Always true."`
}

// Succeeded is the Envelope of every answer.
var Succeeded = Envelope{Success: true}

// Unlisted is embedded in the body of the answer of an operation that is unlisted: the OpenAPI document does not have its schema.
type Unlisted struct{}

// Schema describes nothing.
func (Unlisted) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeObject} }

// Output is what an operation returns whose answer has a body and no header fields of its own.
type Output[T any] struct{ Body T }

// Answer returns a body as the output of an operation.
func Answer[T any](body T) *Output[T] { return &Output[T]{body} }

// Page is embedded in the answer of every list that comes in pages.
type Page struct {
	NextCursor *string `json:"nextCursor" doc:"Pass it as cursor for the next page; null on the last one."`
	HasMore    bool    `json:"hasMore" doc:"False when there is no further page."`
}

// Next returns the Page that is followed by another one, which begins at a cursor; the last one if the cursor is empty.
func Next(cursor string) Page {
	if cursor == "" {
		return Page{}
	}
	return Page{&cursor, true}
}

// NoRequest is the body of operations that need none: absent, or an empty object.
type NoRequest struct{}

// DeleteOutput is the answer of delete-article: none.
type DeleteOutput struct{}

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

// UnmarshalText folds the uid to lower case, in which uids are compared.
func (uid *SiteUID) UnmarshalText(text []byte) error {
	*uid = SiteUID(foldUID(string(text)))
	return nil
}
