package articlelist

import (
	"strconv"
	"time"
)

// Cursor says where the next page of articles begins. It is the _id of the last article of a page (docs/reference/contract.md, Lists). In a
// list by time of publication it is the index's cursor of 40 hex digits, and the next_published_since of the walk in microseconds.
type Cursor string

// The lengths of the two cursors in a Cursor, in characters.
const (
	publishedKeyLength = 40
	publishedLength    = publishedKeyLength + 16
)

// isPublished reports whether the cursor is one of a list by time of publication.
func (c Cursor) isPublished() bool { return len(c) == publishedLength }

// published returns the parts of a cursor of a list by time of publication.
func (c Cursor) published() (key string, complete time.Time) {
	if !c.isPublished() {
		return "", time.Time{}
	}
	micros, _ := strconv.ParseInt(string(c[publishedKeyLength:]), 16, 64)
	return string(c[:publishedKeyLength]), time.UnixMicro(micros)
}
