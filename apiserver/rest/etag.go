package rest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// articleETag returns the entity tag of a full article: a hash of all that the answer shows, the revision_digest among it. It is the
// same on every replica, and a strong one (RFC 9110, section 8.8.3), so it works in If-Match and in If-None-Match.
func articleETag(body Article) (string, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("making an entity tag: %w", err)
	}
	sum := sha256.Sum256(data)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:]) + `"`, nil
}

// articleOutput returns the answer with an article, as far as the credential may read it, and its entity tag.
func articleOutput(ctx context.Context, body Article) (*ArticleOutput, error) {
	if c := callOf(ctx); c != nil {
		body = c.readable(body)
	}
	tag, err := articleETag(body)
	if err != nil {
		return nil, err
	}
	return &ArticleOutput{ETag: tag, Body: body}, nil
}

// listed reports whether a header If-Match or If-None-Match names an entity tag. * names any. A weak tag names none: what it is about
// may differ in its bytes, and only strong tags may guard a change (RFC 9110, section 13.1.1).
func listed(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == tag {
			return true
		}
	}
	return false
}
