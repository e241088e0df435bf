package articlelist

import (
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Cursor says where the next page of articles begins. It is the _id of the last article of a page (contract, section 2). In a list
// by time of publication it is the index's cursor of 40 hex digits, and the next_published_since of the walk in microseconds.
type Cursor string

// The lengths of the two cursors in a Cursor, in characters.
const (
	publishedKeyLength = 40
	publishedLength    = publishedKeyLength + 16
)

// Schema describes a Cursor.
func (Cursor) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^([0-9a-f]{24}|[0-9a-f]{56})$", PatternDescription: "the nextCursor of a page before",
		Description: "The nextCursor of the page before.", Examples: []any{"0198f0a1b2c3d4e5f6a7b8c9"},
	}
}

// isPublished reports whether the cursor is one of a list by time of publication.
func (c Cursor) isPublished() bool { return len(c) == publishedLength }

// published returns the parts of a cursor of a list by time of publication.
func (c Cursor) published() (key string, complete time.Time) {
	if !c.isPublished() {
		return "", time.Time{}
	}
	micros, err := strconv.ParseInt(string(c[publishedKeyLength:]), 16, 64)
	if err != nil {
		return "", time.Time{}
	}
	return string(c[:publishedKeyLength]), time.UnixMicro(micros)
}

// CalendarCursor says where the next page of a calendar begins.
type CalendarCursor string

// Schema describes a CalendarCursor.
func (CalendarCursor) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^[0-9a-f]{40}$", PatternDescription: "the nextCursor of a page before",
		Description: "The nextCursor of the page before.",
	}
}
