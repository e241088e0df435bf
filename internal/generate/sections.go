package generate

import (
	"context"
	"fmt"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// maxBeforeChars bounds how much of the end of the text a section's turn is shown.
const maxBeforeChars = 400

// writeSections writes a long body one section after the other. All turns have system prompt, request and plan in common.
func (d *draft) writeSections(ctx context.Context) (content.Document, error) {
	body := ""
	count := len(d.fields.Sections)
	for i, s := range d.fields.Sections {
		d.progress(2+i, d.steps())
		task := d.sectionTask(i, count)
		task.Before = lastParagraph(body)
		text, err := required(ctx, d, d.question("section", task), func(answer string) (string, problems) {
			return d.readSection(answer, s.Heading, i == 0, task.MinWords)
		})
		if err != nil {
			return content.Document{}, err
		}
		body = strings.TrimSpace(body + "\n\n" + text)
	}
	named, found := d.tidyBody(d.document(d.fields, body))
	if !found.usable() {
		return named, found.failure()
	}
	return named, nil
}

func (d *draft) sectionTask(i, count int) taskData {
	task := taskData{
		Heading: d.fields.Sections[i].Heading, Number: i + 1, Count: count, First: i == 0,
		// The introduction takes about half of a section.
		MinWords: d.extent.minWords * 2 / (2*count + 1), MaxWords: d.extent.maxWords * 2 / (2*count + 1),
		Keyword: i%2 == 1, Links: min(len(d.links.Links), 1), Cites: len(d.links.Sources) > 0,
		Passages: d.passages(maxPassageChars, d.fields.Sections[i].query()),
	}
	if task.First {
		task.MinWords, task.MaxWords = task.MinWords*3/2, task.MaxWords*3/2
	}
	return task
}

// readSection reads a section. Its heading is the plan's.
func (d *draft) readSection(answer, heading string, first bool, minWords int) (string, problems) {
	text, found := d.markdownOf(answer)
	if found != nil {
		return "", found
	}
	parts := content.Sections(text)
	if len(parts) > 2 {
		return "", problems{must("the answer has more than one section")}
	}
	if !strings.Contains(text, "## ") {
		if first {
			return "", problems{must(fmt.Sprintf("the section has no heading; it must have the line %q", "## "+heading))}
		}
		text = "## " + heading + "\n\n" + text
	}
	plain := content.PlainText(text)
	if fit := language.Fits(d.request.Language, plain); !fit.OK {
		return text, problems{must(fmt.Sprintf("the section is not written in the language %q", d.request.Language))}
	}
	if words := countWords(text); words < minWords/2 {
		return text, problems{must(fmt.Sprintf("the section has %d words; it must have at least %d", words, minWords))}
	}
	return text, nil
}

// lastParagraph returns the end of a body, from which the next section goes on.
func lastParagraph(body string) string {
	body = strings.TrimSpace(body)
	last := []rune(body[strings.LastIndex(body, "\n\n")+1:])
	return strings.TrimSpace(inPart(string(last[max(len(last)-maxBeforeChars, 0):])))
}
