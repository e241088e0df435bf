package generate

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// fieldsName is the name of the JSON object, for APIs that require one.
const fieldsName = "article_fields"

// maxOutline bounds the planned headings.
const maxOutline = 20

// fields is everything of an article except its body.
type fields struct {
	Title           string     `json:"title"`
	Slug            string     `json:"slug"`
	MetaTitle       string     `json:"meta_title"`
	MetaDescription string     `json:"meta_description"`
	Outline         []string   `json:"outline"`
	FAQ             []question `json:"faq"`
}

type question struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// fieldsRequired are all fields, because strict schemas have no optional ones.
var fieldsRequired = []string{"title", "slug", "meta_title", "meta_description", "outline", "faq"}

// fieldsSchema returns the JSON schema of fields. It uses only what every strict mode supports: types, descriptions, required, and no
// additional properties. Bounds are in the prompt, and are checked.
func fieldsSchema() map[string]any {
	text := func(description string) map[string]any {
		return map[string]any{"type": "string", "description": description}
	}
	object := func(required []string, properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	return object(fieldsRequired, map[string]any{
		"title":            text("the article's title"),
		"slug":             text("the last part of the article's URL"),
		"meta_title":       text("for the HTML title element"),
		"meta_description": text("for the meta description element"),
		"outline":          map[string]any{"type": "array", "items": text("a heading"), "description": "the article's headings"},
		"faq": map[string]any{
			"type": "array", "description": "questions that readers ask",
			"items": object([]string{"question", "answer"}, map[string]any{
				"question": text("the question"), "answer": text("its answer in plain text"),
			}),
		},
	})
}

// readFields reads the answer to the first question.
func (d *draft) readFields(text string) (fields, problems) {
	var f fields
	raw := findObject(stripThinking(text))
	if raw == nil {
		return f, problems{must("the answer has no JSON object with a title")}
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, problems{must("the JSON object does not have the types that were asked for")}
	}
	f.tidy()
	return f, f.problems(d.avoid)
}

func (f *fields) tidy() {
	for _, s := range []*string{&f.Title, &f.Slug, &f.MetaTitle, &f.MetaDescription} {
		*s = strings.Join(strings.Fields(*s), " ")
	}
	f.Outline = f.Outline[:min(len(f.Outline), maxOutline)]
	f.FAQ = f.FAQ[:min(len(f.FAQ), content.MaxFAQ)]
}

func (f fields) problems(avoid []string) problems {
	var found problems
	for _, field := range []struct {
		name, text string
		most       int
	}{
		{"title", f.Title, content.MaxTitleChars},
		{"meta_title", f.MetaTitle, content.MaxTitleChars},
		{"meta_description", f.MetaDescription, content.MaxMetaDescriptionChars},
	} {
		if field.text == "" {
			found = append(found, must(field.name+" is missing or empty"))
		}
		if utf8.RuneCountInString(field.text) > field.most {
			found = append(found, must(fmt.Sprintf("%s has more than %d characters", field.name, field.most)))
		}
	}
	if len(f.Outline) == 0 {
		found = append(found, should("outline is missing or empty"))
	}
	complete := len(f.FAQ) > 0
	text := append(make([]string, 0, 3+2*len(f.FAQ)), f.Title, f.MetaTitle, f.MetaDescription)
	for _, q := range f.FAQ {
		complete = complete && strings.TrimSpace(q.Question) != "" && strings.TrimSpace(q.Answer) != ""
		text = append(text, q.Question, q.Answer)
	}
	if !complete {
		found = append(found, should("faq is missing or empty, or has an empty question or answer"))
	}
	return append(found, avoided(avoid, text...)...)
}

// maxObjects bounds how many opening braces are tried.
const maxObjects = 50

// findObject returns the JSON object with a title in a text that may have words or a code fence around it, or nil.
func findObject(text string) json.RawMessage {
	for range maxObjects {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return nil
		}
		text = text[start:]
		var raw json.RawMessage
		var object map[string]json.RawMessage
		err := json.NewDecoder(strings.NewReader(text)).Decode(&raw)
		if err == nil && json.Unmarshal(raw, &object) == nil && object["title"] != nil {
			return raw
		}
		text = text[1:]
	}
	return nil
}
