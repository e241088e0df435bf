package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/ground/addresses"
	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// marker is a citation that is written out: [survey], [1], (source: survey).
var marker = regexp.MustCompile(`[\[(]([^\[\]()]{1,80})[\])]`)

// citations find what sentences cite.
type citations struct {
	// byURL and byName have the indexes of sources.
	byURL, byName map[string]int
	count         int
	cited         []citedWords
}

type citedWords struct {
	words  string
	source int
}

func newCitations(m Material, cited []Citation) *citations {
	c := &citations{byURL: map[string]int{}, byName: map[string]int{}, count: len(m.Sources)}
	for i, s := range m.Sources {
		c.byName[strings.ToLower(s.Name)] = i
		if s.URL != "" {
			normal, _ := addresses.Normal(s.URL)
			if _, twice := c.byURL[normal]; !twice {
				c.byURL[normal] = i
			}
		}
	}
	for _, one := range cited {
		if i, ok := c.byName[strings.ToLower(one.Source)]; ok && strings.TrimSpace(one.Words) != "" {
			words := citedWords{words: words.Clean(strings.TrimSpace(one.Words)), source: i}
			if !slices.Contains(c.cited, words) {
				c.cited = append(c.cited, words)
			}
		}
	}
	return c
}

// markers returns where citations are written out in a text, and the source of each.
func (c *citations) markers(text string) (spans []words.Span, sources []int) {
	if c.count == 0 || !strings.ContainsAny(text, "[(") {
		return nil, nil
	}
	for _, m := range marker.FindAllStringSubmatchIndex(text, -1) {
		names := text[m[2]:m[3]]
		_, behind, labelled := strings.Cut(names, ":")
		if labelled {
			names = behind
		} else if text[m[0]] == '(' {
			continue
		}
		found := len(sources)
		for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ';' || r == '&' }) {
			if i, ok := c.source(strings.TrimSpace(name)); ok {
				sources = append(sources, i)
				spans = append(spans, words.Span{Start: m[0], End: m[1]})
			}
		}
		if found == len(sources) && !labelled && isNumeric(names) {
			// A number between brackets is that of some reference.
			spans = append(spans, words.Span{Start: m[0], End: m[1]})
			sources = append(sources, -1)
		}
	}
	return spans, sources
}

func isNumeric(text string) bool {
	return strings.Trim(text, "0123456789, ") == ""
}

// source returns the index of a source by its name, or by its number from 1.
func (c *citations) source(name string) (int, bool) {
	if i, ok := c.byName[strings.ToLower(strings.TrimPrefix(name, "^"))]; ok {
		return i, true
	}
	n, err := strconv.Atoi(name)
	return n - 1, err == nil && n >= 1 && n <= c.count
}

// words returns the sources that were cited by words of a sentence.
func (c *citations) words(sentence string) []int {
	var sources []int
	for _, one := range c.cited {
		if strings.Contains(sentence, one.words) {
			sources = append(sources, one.source)
		}
	}
	return sources
}

// link returns the source of the URL of a link.
func (c *citations) link(url string) (int, bool) {
	normal, _ := addresses.Normal(url)
	i, ok := c.byURL[normal]
	return i, ok
}
