package generate

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

// fieldsName is the name of the JSON object, for APIs that require one.
const fieldsName = "article_fields"

const (
	// maxSections bounds the planned sections.
	maxSections = 20
	// maxQuestions bounds the questions of a section.
	maxQuestions = 5
	// maxVariants bounds the titles, and the like, that a plan may offer.
	maxVariants = 5
)

// plan is the answer to the first question: everything of an article except its body, with several titles and descriptions.
type plan struct {
	Titles           []string       `json:"titles"`
	Slug             string         `json:"slug"`
	MetaTitles       []string       `json:"meta_titles"`
	MetaDescriptions []string       `json:"meta_descriptions"`
	Sections         []section      `json:"sections"`
	FAQ              []v1alpha1.FAQ `json:"faq"`

	// Models without a schema offer one of each, or headings alone.
	Title           string   `json:"title"`
	MetaTitle       string   `json:"meta_title"`
	MetaDescription string   `json:"meta_description"`
	Outline         []string `json:"outline"`
}

// section is a planned section with the questions that it answers.
type section struct {
	Heading   string   `json:"heading"`
	Questions []string `json:"questions,omitempty"`
}

// fields are the fields of a plan that were chosen.
type fields struct {
	Title, Slug, MetaTitle, MetaDescription string
	Sections                                []section
	FAQ                                     []v1alpha1.FAQ
}

// fieldsSchema is the JSON schema of a plan. It uses only what every strict mode supports: types, descriptions, required, and no
// additional properties; strict schemas have no optional members. Bounds are in the prompt, and are checked.
var fieldsSchema = embedded.MustRead(fieldsFile, "fields.schema.json", func(data []byte) (schema json.RawMessage, err error) {
	err = json.Unmarshal(data, &schema)
	return schema, err
})

//go:embed fields.schema.json
var fieldsFile embed.FS

// readPlan reads the answer to the first question.
func (d *draft) readPlan(text string) (plan, problems) {
	var p plan
	raw := findObject(modeltext.WithoutReasoning(text), "titles", "title")
	if raw == nil {
		return p, problems{must("the answer has no JSON object with titles")}
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, problems{must("the JSON object does not have the types that were asked for")}
	}
	p.tidy(d)
	found := p.problems(d.avoid)
	return p, found
}

func (p *plan) tidy(d *draft) {
	p.Titles = d.variants(p.Titles, p.Title)
	p.MetaTitles = d.variants(p.MetaTitles, p.MetaTitle)
	p.MetaDescriptions = d.variants(p.MetaDescriptions, p.MetaDescription)
	p.Slug = modeltext.Line(p.Slug)
	for _, heading := range p.Outline {
		if len(p.Sections) == 0 || len(p.Sections) < len(p.Outline) {
			p.Sections = append(p.Sections, section{Heading: heading})
		}
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		s.Heading, s.Questions = modeltext.Line(d.links.WithoutNames(s.Heading)), s.Questions[:min(len(s.Questions), maxQuestions)]
	}
	p.Sections = slices.DeleteFunc(p.Sections, func(s section) bool { return s.Heading == "" })
	p.Sections = p.Sections[:min(len(p.Sections), maxSections)]
	p.FAQ = d.plainFAQ(p.FAQ[:min(len(p.FAQ), content.MaxFAQ)])
}

// variants returns the texts to choose from, each once and as plain text.
func (d *draft) variants(several []string, one string) []string {
	var out []string
	for _, text := range append(slices.Clone(several), one) {
		text = modeltext.Line(d.links.WithoutNames(text))
		if text != "" && !slices.Contains(out, text) && len(out) < maxVariants {
			out = append(out, text)
		}
	}
	return out
}

// problems are the faults of a plan. Of the texts to choose from, one that can be used is enough.
func (p *plan) problems(avoid []string) problems {
	var found problems
	for _, field := range []struct {
		name  string
		texts *[]string
		most  int
	}{
		{"title", &p.Titles, content.MaxTitleChars},
		{"meta_title", &p.MetaTitles, content.MaxTitleChars},
		{"meta_description", &p.MetaDescriptions, content.MaxMetaDescriptionChars},
	} {
		offered := len(*field.texts)
		*field.texts = slices.DeleteFunc(*field.texts, func(text string) bool { return utf8.RuneCountInString(text) > field.most })
		switch {
		case offered == 0:
			found = append(found, must(field.name+" is missing or empty"))
		case len(*field.texts) == 0:
			found = append(found, must(fmt.Sprintf("%s has more than %d characters", field.name, field.most)))
		default:
			*field.texts, found = withoutAvoided(*field.texts, avoid, found)
		}
	}
	if len(p.Sections) == 0 {
		found = append(found, should("sections are missing or empty"))
	}
	return append(found, p.faqProblems(avoid)...)
}

// withoutAvoided leaves out the texts with words that may not appear. If all have one, it is a problem.
func withoutAvoided(texts, avoid []string, found problems) ([]string, problems) {
	clean := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return len(avoided(avoid, text)) > 0 })
	if len(clean) == 0 {
		return texts, append(found, avoided(avoid, texts[0])...)
	}
	return clean, found
}

func (p *plan) faqProblems(avoid []string) problems {
	var found problems
	complete := len(p.FAQ) > 0
	text := make([]string, 0, 2*len(p.FAQ))
	for _, q := range p.FAQ {
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

// findObject returns the JSON object with one of the members in a text that may have words or a code fence around it, or nil.
func findObject(text string, members ...string) json.RawMessage {
	has := func(raw json.RawMessage) bool {
		var object map[string]json.RawMessage
		isThere := func(member string) bool { return object[member] != nil }
		return json.Unmarshal(raw, &object) == nil && slices.ContainsFunc(members, isThere)
	}
	rest := text
	for range maxObjects {
		start := strings.IndexByte(rest, '{')
		if start < 0 {
			break
		}
		rest = rest[start:]
		var raw json.RawMessage
		if json.NewDecoder(strings.NewReader(rest)).Decode(&raw) == nil && has(raw) {
			return raw
		}
		rest = rest[1:]
	}
	if raw := lenientObject(text); has(raw) {
		return raw
	}
	return nil
}

// maxLenient bounds, in bytes, the JSON with a mistake that is read anyway.
const maxLenient = 64 << 10

// lenientObject reads an object with a comma too many, or without quotation marks, which is YAML. It returns nil if there is none.
func lenientObject(text string) json.RawMessage {
	begin, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if begin < 0 || end < begin || end-begin > maxLenient {
		return nil
	}
	raw, err := yaml.YAMLToJSON([]byte(text[begin : end+1]))
	if err != nil {
		return nil
	}
	return raw
}

// choose takes of each field the text that our checks rate best, and the first of those that they rate the same. It costs no turn.
func (d *draft) choose(p plan) fields {
	f := fields{Slug: p.Slug, Sections: p.Sections, FAQ: d.supported(p.FAQ)}
	f.Title, f.MetaTitle, f.MetaDescription = p.Titles[0], p.MetaTitles[0], p.MetaDescriptions[0]
	for _, field := range []struct {
		of    *string
		texts []string
	}{{&f.Title, p.Titles}, {&f.MetaTitle, p.MetaTitles}, {&f.MetaDescription, p.MetaDescriptions}} {
		best, points := "", 0
		for _, text := range field.texts {
			*field.of = text
			if rated := d.rate(f, text); best == "" || rated > points {
				best, points = text, rated
			}
		}
		*field.of = best
	}
	return f
}

// rate returns the points of fields, of which one is a text to choose. Of texts with the same points, one with the keyword is better: no
// check looks at the title that readers see.
func (d *draft) rate(f fields, text string) int {
	points := 2 * check.Run(d.checkInput(d.document(f, ""))).Points()
	if language.For(d.request.Language).Mentions(text, d.request.Keyword) {
		points++
	}
	return points
}
