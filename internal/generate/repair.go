package generate

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

// maxMendFaults bounds the faults that one repair names.
const maxMendFaults = 6

// mend asks for repairs of what our checks find in an article that can be used.
func (d *draft) mend(ctx context.Context, first article) (article, error) {
	return mending{
		ask: d.askRepair,
		affords: func(a article, t target) bool {
			p, answer := d.repairPrompt(a, t)
			return d.budget.affords(p, answer)
		},
		done: d.record,
	}.run(ctx, first)
}

// record keeps what a repair has gained.
func (d *draft) record(t target, before, after article, kept bool) {
	r := Repair{Part: partName(before, t), Kept: kept, Tokens: d.lastTurn}
	for _, f := range t.findings {
		r.Checks = append(r.Checks, f.Check)
	}
	if kept {
		r.Points = after.report.Points() - before.report.Points()
	}
	d.repairs = append(d.repairs, r)
}

// partName names what a repair asked for.
func partName(a article, t target) string {
	switch t.at.Part {
	case check.Fields:
		return "fields"
	case check.Whole:
		return "body"
	}
	sections := content.Sections(a.named.Markdown)
	if t.at.Section < 0 || t.at.Section >= len(sections) {
		return "body"
	}
	if heading := sections[t.at.Section].Heading; heading != "" {
		return label(heading, 100)
	}
	return "introduction"
}

// repairPrompt returns the question for a target, and about how many bytes its answer has.
func (d *draft) repairPrompt(a article, t target) (prompt, int) {
	task := d.task()
	for _, f := range t.findings[:min(len(t.findings), maxMendFaults)] {
		task.Faults = append(task.Faults, f.Model)
	}
	switch t.at.Part {
	case check.Fields:
		doc := a.named
		task.Part = asJSON(fieldsAnswer{doc.Title, doc.Slug, doc.MetaTitle, doc.MetaDescription})
		return d.question("mendfields", task), len(task.Part)
	case check.Whole:
		task.Part, task.Passages = inPart(a.named.Markdown), d.bodyPassages()
		return d.question("mendbody", task), len(a.named.Markdown)
	}
	part := sectionOf(a, t)
	passages := d.passages
	if slices.ContainsFunc(t.findings, func(f check.Finding) bool { return f.Check == check.SourcesUsedCheck }) {
		passages = d.allPassages
	}
	task.Passages = passages(maxMendPassageChars, part.heading+"\n"+strings.Join(task.Faults, "\n"))
	words := language.CountWords(content.PlainText(part.text))
	task.Heading, task.Part, task.MinWords, task.MaxWords = part.heading, inPart(part.text), words*3/4, max(words*5/4, 30)
	return d.question("mendsection", task), len(part.text)
}

// part is a section's place in a body.
type part struct {
	heading, before, text, after string
}

func sectionOf(a article, t target) part {
	body, sections := a.named.Markdown, content.Sections(a.named.Markdown)
	if t.at.Section < 0 || t.at.Section >= len(sections) {
		return part{text: body}
	}
	s := sections[t.at.Section]
	return part{heading: s.Heading, before: body[:s.Start], text: strings.TrimSpace(body[s.Start:s.End]), after: body[s.End:]}
}

type fieldsAnswer struct {
	Title           string `json:"title,omitempty"`
	Slug            string `json:"slug,omitempty"`
	MetaTitle       string `json:"meta_title,omitempty"`
	MetaDescription string `json:"meta_description,omitempty"`
}

// askRepair asks for a target again, and returns the article with the answer in its place.
func (d *draft) askRepair(ctx context.Context, a article, t target) (article, error) {
	p, _ := d.repairPrompt(a, t)
	answered, err := d.ask(ctx, p)
	if err != nil {
		return a, err
	}
	if answered.end != whole {
		return a, errNoUse
	}
	named := a.named
	var usable bool
	if t.at.Part == check.Fields {
		named, usable = d.withFields(named, modeltext.WithoutReasoning(answered.text))
	} else {
		named, usable = d.withPart(named, sectionOf(a, t), answered.text, t.at.Part == check.Whole)
	}
	if !usable {
		return a, errNoUse
	}
	return d.assess(named), nil
}

// withFields takes over the fields of an answer.
func (d *draft) withFields(doc content.Document, text string) (content.Document, bool) {
	var f fieldsAnswer
	raw := findObject(text, "title", "slug", "meta_title", "meta_description")
	if raw == nil || json.Unmarshal(raw, &f) != nil {
		return doc, false
	}
	for _, field := range []struct {
		of   *string
		with string
	}{{&doc.Title, f.Title}, {&doc.MetaTitle, f.MetaTitle}, {&doc.MetaDescription, f.MetaDescription}} {
		if with := modeltext.Line(d.links.WithoutNames(field.with)); with != "" {
			*field.of = with
		}
	}
	if f.Slug != "" {
		doc.Slug = content.Slug(f.Slug, d.request.Language)
	}
	named, found := d.tidyBody(doc)
	return named, found.usable()
}

// withPart puts an answer in the place of a part of the body, or of all of it.
func (d *draft) withPart(doc content.Document, old part, answer string, whole bool) (content.Document, bool) {
	text, found := d.markdownOf(answer)
	if found != nil {
		return doc, false
	}
	switch sections := content.Sections(text); {
	case whole:
		doc.Markdown = text
	case len(sections) > 2 || old.heading == "" && len(sections) > 1:
		return doc, false
	case old.heading != "" && (len(sections) < 2 || strings.TrimSpace(text[:sections[1].Start]) != ""):
		// The section's heading is missing, or stands behind something else.
		if len(sections) > 1 {
			return doc, false
		}
		heading, _, _ := strings.Cut(old.text, "\n")
		doc.Markdown = joined(old.before, heading+"\n\n"+text, old.after)
	default:
		doc.Markdown = joined(old.before, text, old.after)
	}
	named, found := d.tidyBody(doc)
	return named, found.usable()
}

func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.Trim(p, "\n"); strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}
