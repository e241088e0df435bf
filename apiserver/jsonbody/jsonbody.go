// Package jsonbody reads the bodies of requests to the REST API.
package jsonbody

import (
	"encoding/json"
	"errors"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// MaxBytes bounds the body of a request.
const MaxBytes = 1 << 20

// verbatim is the member whose blanks have a meaning: Markdown.
const verbatim = "content_markdown"

// Only returns the middleware that refuses bodies of another type than JSON. A body without a type is read as JSON, and the
// type of an empty body is ignored.
func Only(refuse func(huma.Context, *problem.APIError)) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request := humagin.Unwrap(ctx).Request
		if request.ContentLength == 0 {
			next(ctx)
			return
		}
		header := ctx.Header("Content-Type")
		if media, _, err := mime.ParseMediaType(header); header != "" && (err != nil || media != problem.ContentType) {
			refuse(ctx, problem.Invalid(problem.Detail{Field: "content-type", Message: "must be " + problem.ContentType}))
			return
		}
		// The framework compares the type letter by letter.
		request.Header.Set("Content-Type", problem.ContentType)
		next(ctx)
	}
}

// Format reads and writes JSON by the rules of the contract: null is the same as absent, and blanks around a text do not count
// (design, section 4).
func Format() huma.Format {
	return huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshal}
}

// unmarshal is called twice for each body: the framework validates a generic value, and fills a struct after that.
func unmarshal(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("invalid character: the body must be UTF-8")
	}
	var generic any
	if err := json.Unmarshal(data, &generic); err != nil {
		return err
	}
	generic = normalize(generic, false)
	if target, ok := v.(*any); ok {
		if err := checkMembers(data); err != nil {
			return err
		}
		*target = generic
		return nil
	}
	normalized, err := json.Marshal(generic)
	if err != nil {
		return err
	}
	return json.Unmarshal(normalized, v)
}

// normalize drops nulls and trims texts.
func normalize(v any, keepBlanks bool) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = normalize(member, name == verbatim)
		}
	case []any:
		for i := range v {
			v[i] = normalize(v[i], keepBlanks)
		}
	case string:
		if !keepBlanks {
			return strings.TrimSpace(v)
		}
	}
	return v
}
