package generate

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"

	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

// PromptVersion names the prompts in the folder prompts, of which prompts/versions lists the digests. Revisions record it.
const PromptVersion = "3"

// The prompts. Everything that a customer wrote is JSON between tags, with < and > escaped: it cannot close the tag, and the prompt says
// that it is data. What all turns of a run have in common stands first and is the same byte for byte, so that endpoints that cache
// prefixes read it once: the system prompt, the request and, after the first turn, the plan.
//
//go:embed prompts/*.md
var promptFiles embed.FS

var promptTexts = embedded.MustParse(template.New("").Funcs(template.FuncMap{"quoted": quoted}), promptFiles, "prompts/*.md")

// quoted makes a fault, which may quote the request or the text, one line that has no tags.
func quoted(fault string) string {
	return label(strings.NewReplacer("<", "‹", ">", "›").Replace(fault), maxFaultChars)
}

// maxFaultChars bounds a fault in a prompt.
const maxFaultChars = 500

// promptText fills in a prompt. The tests fill in each of them: with the types of this package none fails.
func promptText(name string, data any) string {
	var b strings.Builder
	if err := promptTexts.ExecuteTemplate(&b, name+".md", data); err != nil {
		return ""
	}
	return b.String()
}

// maxRepairChars bounds how much of a bad answer is shown to the model again.
const maxRepairChars = 60000

// linkData is an article of the site in a prompt.
type linkData struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	About string `json:"about,omitempty"`
}

type planData struct {
	Title    string    `json:"title"`
	Sections []section `json:"sections,omitempty"`
}

// taskData fills in the tasks: each uses what it needs.
type taskData struct {
	MinWords, MaxWords       int
	MinSections, MaxSections int
	// Links is how many links the answer may have.
	Links int
	// Heading, Number and Count describe a section; First has the introduction before it, and Keyword one use of the keyword.
	Heading        string
	Number, Count  int
	First, Keyword bool
	// Before is the end of the text so far, and Part what is to be written again, without these faults.
	Before, Part string
	Faults       []string
}

func (d *draft) planPrompt() prompt {
	return prompt{
		system: systemPrompt(), fields: true, turns: []turn{{text: d.requestText() + promptText("plan", d.task())}},
	}
}

// question returns a question about the article of the plan.
func (d *draft) question(name string, data taskData) prompt {
	plan := promptText("withplan", map[string]string{"Plan": asJSON(planData{Title: d.fields.Title, Sections: d.fields.Sections})})
	return prompt{system: systemPrompt(), turns: []turn{{text: d.requestText() + plan + promptText(name, data)}}}
}

// task has the values of a prompt about the whole article.
func (d *draft) task() taskData {
	return taskData{
		MinWords: d.extent.minWords, MaxWords: d.extent.maxWords, MinSections: d.extent.minSections, MaxSections: d.extent.maxSections,
		Links: min(len(d.links.Links), d.links.Most),
	}
}

func systemPrompt() string { return strings.TrimSpace(promptText("system", nil)) }

func (d *draft) requestText() string {
	r := d.request
	data := struct {
		Request

		Links []linkData `json:"links,omitempty"`
	}{Request: r}
	data.AvoidWords = d.avoid
	for i, l := range d.links.Links {
		data.Links = append(data.Links, linkData{Name: l.Name, Title: r.Links[i].Title, About: r.Links[i].About})
	}
	return promptText("request", map[string]string{"Request": asJSON(data), "Rejected": asJSON(r.Rejected)})
}

// asJSON writes data for a prompt. encoding/json escapes <, > and &.
func asJSON(data any) string {
	// Strings and lists of strings always marshal.
	out, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return "{}"
	}
	return string(out)
}

// inPart makes Markdown safe between the tags of a part: the text cannot close them.
func inPart(markdown string) string { return strings.ReplaceAll(markdown, "</", "<\\/") }

// repair returns the prompt of the turn that asks again for an answer which cannot be used. If the answer was truncated, the prompt
// asks the question again for a shorter answer: the long one would only use up the context.
func (p prompt) repair(a answer, found problems) prompt {
	question := p.turns[0]
	bad := modeltext.WithoutReasoning(a.text)
	again := promptText("again", taskData{Faults: found.texts()})
	switch {
	case a.end == truncated:
		p.turns = []turn{{text: question.text + "\n" + promptText("shorter", nil)}}
	case bad == "":
		p.turns = []turn{{text: question.text + "\n" + again}}
	default:
		if runes := []rune(bad); len(runes) > maxRepairChars {
			bad = string(runes[:maxRepairChars])
		}
		p.turns = []turn{question, {byModel: true, text: bad}, {text: again}}
	}
	return p
}
