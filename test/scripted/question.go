package scripted

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// kind of a question.
type kind int

const (
	askPlan kind = iota
	askBody
	askSection
	mendSection
	mendBody
	mendFields
)

// question has the facts that a scripted model takes from its prompt.
type question struct {
	kind    kind
	request request
	plan    plan
	// part that is to be written again, and heading and number of the section that is asked for.
	part, heading string
	number        int
	// minWords and maxWords of the answer.
	minWords, maxWords int
	// again is whether an answer could not be used.
	again bool
	// passages of the sources that it has.
	passages []passage
	// text of the question.
	text string
}

type source struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

type passage struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

type request struct {
	Keyword           string   `json:"keyword"`
	SecondaryKeywords []string `json:"secondary_keywords"`
	Language          string   `json:"language"`
	AvoidWords        []string `json:"avoid_words"`
	Tone              string   `json:"tone"`
	Guide             string   `json:"guide"`
	Links             []link   `json:"links"`
	Instructions      string   `json:"instructions"`
	Facts             []string `json:"facts"`
	Sources           []source `json:"sources"`
}

type link struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

type plan struct {
	Title    string        `json:"title"`
	Sections []planSection `json:"sections"`
}

type planSection struct {
	Heading   string   `json:"heading"`
	Questions []string `json:"questions"`
}

var (
	wordRange    = regexp.MustCompile(`([0-9]+) to ([0-9]+) words`)
	sectionTitle = regexp.MustCompile(`section ([0-9]+) of [0-9]+ of this plan: (.*)`)
)

// read reads a conversation. The first message of the user is the question; an answer after it could not be used.
func read(messages []chatMessage) question {
	var q question
	for _, m := range messages {
		if m.Role == "user" && q.text == "" {
			q.text = m.Content
		}
	}
	q.again = len(messages) > 2 || strings.Contains(q.text, "cannot be used as it is") || strings.Contains(q.text, "was cut off")
	if before, rest, ok := strings.Cut(q.text, "<passages>"); ok {
		passages, after, _ := strings.Cut(rest, "</passages>")
		_ = json.Unmarshal([]byte(passages), &q.passages)
		q.text = before + after
	}
	// What cannot be read is empty, and the answer is for an empty request.
	_ = json.Unmarshal([]byte(between(q.text, "<request>", "</request>")), &q.request)
	_ = json.Unmarshal([]byte(between(q.text, "<plan>", "</plan>")), &q.plan)
	_, task, _ := strings.Cut(q.text, "</plan>")
	q.part = strings.TrimSpace(between(task, "<part>", "</part>"))
	before, _, _ := strings.Cut(task, "<part>")
	_, after, _ := strings.Cut(task, "</part>")
	switch {
	case task == "":
		q.kind = askPlan
		_, before, _ = strings.Cut(q.text, "</request>")
	case strings.Contains(before, "These fields of the article"):
		q.kind = mendFields
	case strings.Contains(before, "This is the body of"):
		q.kind = mendBody
	case strings.Contains(before, "This is a section of"), strings.Contains(before, "This is the introduction of"):
		q.kind = mendSection
	case sectionTitle.MatchString(before):
		q.kind = askSection
		found := sectionTitle.FindStringSubmatch(before)
		q.number, q.heading = number(found[1]), strings.TrimSpace(found[2])
	default:
		q.kind = askBody
	}
	if found := wordRange.FindStringSubmatch(before + after); found != nil {
		q.minWords, q.maxWords = number(found[1]), number(found[2])
	}
	if q.kind == mendSection {
		q.heading = headingOf(q.part)
		q.number = q.plan.numberOf(q.heading)
	}
	return q
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

func between(text, begin, end string) string {
	_, text, _ = strings.Cut(text, begin)
	text, _, _ = strings.Cut(text, end)
	return text
}

// headingOf returns the heading that a part begins with.
func headingOf(part string) string {
	line, _, _ := strings.Cut(part, "\n")
	heading, found := strings.CutPrefix(line, "## ")
	if !found {
		return ""
	}
	return strings.TrimSpace(heading)
}

// numberOf returns the number of a section from 1; 0 for the introduction.
func (p plan) numberOf(heading string) int {
	for i, s := range p.Sections {
		if s.Heading == heading {
			return i + 1
		}
	}
	return 0
}
