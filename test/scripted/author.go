package scripted

import (
	"encoding/json"
	"hash/fnv"
	"strings"
)

// author writes good texts in a language.
type author struct {
	bank    bank
	request request
	plan    plan
	// passages that it may rest on.
	passages []passage
	// from is the first sentence of the article in the bank: articles on other keywords begin elsewhere.
	from int
}

func authorOf(q question) author {
	sum := fnv.New32a()
	// Writing to a hash never fails.
	_, _ = sum.Write([]byte(q.request.Keyword))
	b := bankOf(q.request.Language).without(q.request.AvoidWords)
	return author{bank: b, request: q.request, plan: q.plan, passages: q.passages, from: int(sum.Sum32()) % len(b["sentences"])}
}

// planned returns a plan with so many sections as JSON.
func (a author) planned(sections int) string {
	p := map[string]any{
		"titles": a.filled("titles"), "meta_titles": a.filled("meta_titles"), "meta_descriptions": a.filled("descriptions"),
		"slug": strings.ReplaceAll(a.request.Keyword, " ", "-"),
	}
	var list []planSection
	for _, h := range a.filled("headings") {
		if len(list) < sections {
			list = append(list, planSection{Heading: h, Questions: []string{h + "?"}})
		}
	}
	p["sections"] = list
	lines := a.filled("faq")
	faq := make([]map[string]string, 0, len(lines))
	for _, line := range lines {
		q, answer, _ := strings.Cut(line, "|")
		faq = append(faq, map[string]string{"question": q, "answer": answer})
	}
	p["faq"] = faq
	return asJSON(p)
}

// fields returns fields as JSON.
func (a author) fields() string {
	return asJSON(map[string]string{
		"title": a.filled("titles")[0], "slug": strings.ReplaceAll(a.request.Keyword, " ", "-"),
		"meta_title": a.filled("meta_titles")[0], "meta_description": a.description(),
	})
}

// description returns a meta description of a good length, if there is one.
func (a author) description() string {
	all := a.filled("descriptions")
	for _, d := range all {
		if n := len([]rune(d)); n > 120 && n < 156 {
			return d
		}
	}
	return all[0]
}

func (a author) filled(part string) []string {
	out := make([]string, 0, len(a.bank[part]))
	for _, line := range a.bank[part] {
		out = append(out, fill(line, a.request.Keyword))
	}
	return out
}

// body returns a whole body of about so many words.
func (a author) body(words int) string {
	parts := make([]string, 0, 1+len(a.plan.Sections))
	parts = append(parts, a.introduction())
	for i := range a.plan.Sections {
		parts = append(parts, a.section(i, words/max(len(a.plan.Sections), 1)))
	}
	return strings.Join(parts, "\n\n")
}

func (a author) introduction() string {
	lines := a.filled("intro")
	return strings.Join(lines[:2], " ") + "\n\n" + strings.Join(lines[2:], " ")
}

// paragraphs are how many sentences they have: they are not all alike.
var paragraphs = []int{3, 2, 4, 3, 1, 4, 2}

// section returns the section with an index, of about so many words.
func (a author) section(i, words int) string {
	sentences := a.bank["sentences"]
	count := max(words/14, 3)
	var all []string
	for n := range count {
		all = append(all, sentences[(a.from+i*count+n)%len(sentences)])
	}
	all = a.withExtras(all, i)
	out := []string{"## " + a.plan.Sections[i].Heading}
	for n := i; len(all) > 0; n++ {
		size := min(paragraphs[n%len(paragraphs)], len(all))
		out = append(out, strings.Join(all[:size], " "))
		all = all[size:]
	}
	return strings.Join(out, "\n\n")
}

// withExtras puts what belongs into a section among its sentences: the keyword, a secondary one, a link.
func (a author) withExtras(all []string, i int) []string {
	insert := func(at int, text string) {
		at = min(at, len(all))
		all = append(all[:at], append([]string{text}, all[at:]...)...)
	}
	keyword := a.filled("keyword")
	if i < len(keyword) {
		insert(1, keyword[i])
	}
	if i < len(a.request.SecondaryKeywords) {
		insert(3, strings.ReplaceAll(a.bank["secondary"][0], "{s}", a.request.SecondaryKeywords[i]))
	}
	if i < len(a.request.Facts) {
		insert(2, a.request.Facts[i])
	}
	if cited := a.cited(i); cited != "" {
		insert(2, cited)
	}
	// The first section is the end of a turn of its own in a long text, so the links stand behind it.
	if l := i - 1; l >= 0 && l < len(a.request.Links) && l < 3 {
		words := strings.Join(first(strings.Fields(a.request.Links[l].Title), 8), " ")
		insert(4, strings.NewReplacer("{w}", words, "{n}", a.request.Links[l].Name).Replace(a.bank["link"][0]))
	}
	return all
}

// cited returns a sentence of a passage with its source: each section has another source.
func (a author) cited(i int) string {
	if len(a.passages) == 0 || len(a.request.Sources) == 0 {
		return ""
	}
	p, wanted := a.passages[0], a.request.Sources[i%len(a.request.Sources)].Name
	for _, other := range a.passages {
		if other.Source == wanted {
			p = other
			break
		}
	}
	sentences := strings.SplitAfter(strings.TrimSpace(p.Text), ". ")
	sentence := strings.TrimSpace(sentences[i/len(a.request.Sources)%len(sentences)])
	const citing = 5
	words := strings.Fields(sentence)
	head := first(words, min(citing, len(words)-1))
	return "[" + strings.Join(head, " ") + "][" + p.Source + "] " + strings.Join(words[len(head):], " ")
}

func first(words []string, most int) []string { return words[:min(len(words), most)] }

func asJSON(v any) string {
	// Maps of strings and lists always marshal.
	out, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(out)
}
