package generate

import (
	"embed"
	"encoding/json"
	"slices"
	"strings"
	"text/template"

	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

// PromptVersion names the prompts in the folder prompts, of which prompts/versions lists the digests. Revisions record it.
const PromptVersion = "4"

// The prompts. Everything that a customer wrote is JSON between tags, with < and > escaped: it cannot close the tag, and the prompt says
// that it is data. What all turns of a run have in common stands first and is the same byte for byte, so that endpoints that cache
// prefixes read it once: the system prompt, the request and, after the first turn, the plan. Passages of sources, which differ from turn to
// turn, stand behind them.
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
	// Passages of the sources as JSON; empty if there are none. Cites is whether the answer may cite sources.
	Passages string
	Cites    bool
}

// sourceData is a source of the brief in a prompt.
type sourceData struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// passageData is a paragraph of a source in a prompt.
type passageData struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

const (
	// maxPassageChars bounds the passages for a section, and for a plan, and maxBodyPassageChars those for a whole body.
	maxPassageChars, maxBodyPassageChars = 6000, 24000
	// maxMendPassageChars bounds those for a repair: it needs what is said about a few claims.
	maxMendPassageChars = 2000
	// maxFirstPassageChars bounds the passage of a source that says nothing about what is asked.
	maxFirstPassageChars = 600
)

func (d *draft) planPrompt() prompt {
	task := d.task()
	task.Passages = d.allPassages(maxPassageChars, strings.Join(append([]string{d.request.Keyword}, d.request.SecondaryKeywords...), "\n"))
	return prompt{
		system: d.systemPrompt(), fields: true, turns: []turn{{text: d.requestText() + passagesText(task) + promptText("plan", task)}},
	}
}

// bodyPassages returns passages for each section of the plan.
func (d *draft) bodyPassages() string {
	queries := make([]string, 0, len(d.fields.Sections))
	for _, s := range d.fields.Sections {
		queries = append(queries, s.query())
	}
	if len(queries) == 0 {
		queries = append(queries, d.request.Keyword)
	}
	return d.allPassages(min(maxPassageChars, maxBodyPassageChars/len(queries)), queries...)
}

// query is what a section asks of the sources.
func (s section) query() string {
	return strings.Join(append([]string{s.Heading}, s.Questions...), "\n")
}

// passages returns the passages that say most about each of the queries as JSON, each once; at most so many characters for a query.
func (d *draft) passages(chars int, queries ...string) string {
	return passagesJSON(d.passagesAbout(chars, queries...))
}

// allPassages is passages with one of each source at least.
func (d *draft) allPassages(chars int, queries ...string) string {
	out := d.passagesAbout(chars, queries...)
	if d.request.Material == nil {
		return ""
	}
	for _, s := range d.request.Material.Sources {
		if !slices.ContainsFunc(out, func(p passageData) bool { return p.Source == s.Name }) {
			first, _, _ := strings.Cut(strings.TrimSpace(s.Text), "\n\n")
			runes := []rune(first)
			out = append(out, passageData{Source: s.Name, Text: string(runes[:min(len(runes), maxFirstPassageChars)])})
		}
	}
	return passagesJSON(out)
}

func (d *draft) passagesAbout(chars int, queries ...string) []passageData {
	if d.request.Material == nil {
		return nil
	}
	var out []passageData
	for _, query := range queries {
		for _, p := range ground.Passages(*d.request.Material, d.request.Language, query, chars) {
			if passage := passageData(p); !slices.Contains(out, passage) {
				out = append(out, passage)
			}
		}
	}
	return out
}

func passagesJSON(passages []passageData) string {
	if len(passages) == 0 {
		return ""
	}
	return asJSON(passages)
}

func passagesText(data taskData) string {
	if data.Passages == "" {
		return ""
	}
	return promptText("passages", data)
}

// question returns a question about the article of the plan.
func (d *draft) question(name string, data taskData) prompt {
	plan := promptText("withplan", map[string]string{"Plan": asJSON(planData{Title: d.fields.Title, Sections: d.fields.Sections})})
	return prompt{system: d.systemPrompt(), turns: []turn{{text: d.requestText() + plan + passagesText(data) + promptText(name, data)}}}
}

// task has the values of a prompt about the whole article.
func (d *draft) task() taskData {
	return taskData{
		MinWords: d.extent.minWords, MaxWords: d.extent.maxWords, MinSections: d.extent.minSections, MaxSections: d.extent.maxSections,
		Links: min(len(d.links.Links), d.links.Most), Cites: len(d.links.Sources) > 0,
	}
}

// systemPrompt says more if there is a brief.
func (d *draft) systemPrompt() string {
	r := d.request
	data := struct {
		Instructions, Brief, Facts, Sources bool
		// Link is a name that a link can have.
		Link string
	}{Instructions: r.Instructions != "", Brief: r.Material != nil, Sources: len(d.links.Sources) > 0, Link: "a1"}
	data.Facts = data.Brief && len(r.Material.Facts) > 0
	if len(d.links.Links) > 0 {
		data.Link = d.links.Links[0].Name
	}
	return strings.TrimSpace(promptText("system", data))
}

func (d *draft) requestText() string {
	r := d.request
	data := struct {
		Request

		Links   []linkData   `json:"links,omitempty"`
		Facts   []string     `json:"facts,omitempty"`
		Sources []sourceData `json:"sources,omitempty"`
	}{Request: r}
	if r.Material != nil {
		data.Facts = r.Material.Facts
		for _, s := range r.Material.Sources {
			data.Sources = append(data.Sources, sourceData{Name: s.Name, Title: s.Title})
		}
	}
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
