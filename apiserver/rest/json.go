package rest

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

const jsonType = "application/json"

// MaxBodyBytes bounds the body of a request.
const MaxBodyBytes = 1 << 20

// verbatim is the member whose blanks mean something: Markdown.
const verbatim = "content_markdown"

// jsonFormat reads and writes JSON as the contract has it: null is the same as absent, and blanks around a text do not
// count (design, section 4).
func jsonFormat() huma.Format {
	return huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshal}
}

func unmarshal(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("invalid character: the body must be UTF-8")
	}
	tidied, err := tidy(data)
	if err != nil {
		return err
	}
	return json.Unmarshal(tidied, v)
}

func tidy(data []byte) ([]byte, error) {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return json.Marshal(tidyValue(v, false))
}

func tidyValue(v any, keepBlanks bool) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = tidyValue(member, name == verbatim)
		}
	case []any:
		for i := range v {
			v[i] = tidyValue(v[i], keepBlanks)
		}
	case string:
		if !keepBlanks {
			return strings.TrimSpace(v)
		}
	}
	return v
}
