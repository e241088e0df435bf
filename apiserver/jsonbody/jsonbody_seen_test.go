package jsonbody_test

import (
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
)

func TestATextOfWhichNothingCanBeSeenIsRefused(t *testing.T) {
	const unseen, turned = "must have a character that can be seen", "must be without characters that embed, override or isolate a direction of writing"
	for name, c := range map[string]struct{ text, want string }{
		"zero-width spaces":    {"\u200B\u200B", unseen},
		"a soft hyphen":        {"\u00AD", unseen},
		"an override alone":    {"\u202E", unseen},
		"a Hangul filler":      {"\u3164", unseen},
		"a blank Braille cell": {"\u2800", unseen},
		"a variation selector": {" \uFE0F ", unseen},
		"a mark of nothing":    {"\u0301", unseen},
		"an override":          {"Shoes \u202Efdp.exe", turned},
		"an embedding":         {"\u202BShoes\u202C", turned},
		"an isolate":           {"\u2067Shoes\u2069", turned},
		"nothing":              {"", ""},
		"blanks":               {"  ", ""},
		"Persian":              {"می\u200Cخواهم", ""},
		"an emoji of several":  {"👩\u200D💻", ""},
		"a mark of one place":  {"C\u200E++ \u200Fאב", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := jsonv2.Marshal(c.text)
			if err != nil {
				t.Fatal(err)
			}
			for field, body := range map[string]string{
				"title": `{"title":#}`, "tags[0]": `{"tags":[#]}`, "faq[0].question": `{"faq":[{"question":#}]}`,
				"faq[0].answer": `{"faq":[{"answer":#}]}`, "content_markdown": `{"content_markdown":#}`,
			} {
				want := c.want
				if want == turned && (field == "faq[0].answer" || field == "content_markdown") {
					want = ""
				}
				_, refused := jsonbody.Read(registry, schema, []byte(strings.ReplaceAll(body, "#", string(text))))
				got, at := "", field
				if refused != nil {
					got, at = refused.Problem.Details[0].Message, refused.Problem.Details[0].Field
				}
				if got != want || at != field {
					t.Errorf("%s: got %q at %s, want %q", field, got, at, want)
				}
			}
		})
	}
}
