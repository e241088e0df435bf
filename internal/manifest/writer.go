package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"
)

// The fields of an article in an order for readers: others come between the two lists, by their names.
var (
	first = []string{
		"apiVersion", "kind", "metadata", "spec", "name", "namespace", "labels", "siteRef", "generate", "stage", "publishAfter",
		"approvals", "review", "keyword", "decision", "by", "title", "slug", "metaTitle", "metaDescription", "url", "question", "answer",
	}
	last = []string{"content", "faq", "markdown"}
)

// inOrder compares names of fields.
func inOrder(a, b string) int {
	rank := func(name string) int {
		if i := slices.Index(last, name); i >= 0 {
			return len(first) + 1 + i
		}
		if i := slices.Index(first, name); i >= 0 {
			return i
		}
		return len(first)
	}
	return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b))
}

// writer writes YAML line by line. A level is an indentation by two blanks.
type writer struct {
	bytes.Buffer

	// blocks has texts of several lines written as blocks. Otherwise they are quoted.
	blocks bool
}

func (w *writer) line(level int, text string) {
	w.WriteString(strings.Repeat("  ", level) + text + "\n")
}

// comment writes a comment on one line, without characters that end a line or cannot be seen: it can quote what others have written.
func (w *writer) comment(text string) {
	w.line(0, "# "+strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) && !quoted(r) {
			return r
		}
		return ' '
	}, text)))
}

// fields writes the fields of a JSON object.
func (w *writer) fields(level int, object map[string]any) {
	for _, name := range slices.SortedFunc(maps.Keys(object), inOrder) {
		switch value := object[name].(type) {
		case map[string]any:
			w.line(level, inline(name)+":")
			w.fields(level+1, value)
		case []any:
			w.line(level, inline(name)+":")
			w.items(level, value)
		case string:
			w.text(level, name, value)
		default:
			w.line(level, inline(name)+": "+fmt.Sprint(value))
		}
	}
}

// items writes the items of a list, which are objects or values.
func (w *writer) items(level int, list []any) {
	for _, value := range list {
		item := &writer{blocks: w.blocks}
		switch value := value.(type) {
		case map[string]any:
			item.fields(level+1, value)
		case string:
			item.line(level+1, inline(value))
		default:
			item.line(level+1, fmt.Sprint(value))
		}
		w.WriteString(strings.Repeat("  ", level) + "- " + item.String()[2*(level+1):])
	}
}

// text writes a field with a text. Markdown, and what has several lines, is a literal block, which Git compares line by line: the library
// would quote a text that has an emoji or a line that ends in blanks, all of it on one line.
func (w *writer) text(level int, name, text string) {
	if !w.blocks || text == "" || strings.ContainsFunc(text, quoted) || name != "markdown" && !strings.Contains(text, "\n") {
		w.line(level, inline(name)+": "+inline(text))
		return
	}
	// The 2 is the indentation, which a parser cannot see if the text begins with blanks. Line breaks at the end are kept (+), are one, or
	// are none (-).
	header := inline(name) + ": |2"
	switch {
	case text == "\n" || strings.HasSuffix(text, "\n\n"):
		header += "+"
	case !strings.HasSuffix(text, "\n"):
		header, text = header+"-", text+"\n"
	}
	w.line(level, header)
	for line := range strings.Lines(text) {
		if line != "\n" {
			w.WriteString(strings.Repeat("  ", level+1))
		}
		w.WriteString(line)
	}
}

// inline returns a text on one line: as the library spells it, if that can be read, and otherwise quoted. What Go escapes in quotes, YAML
// reads as Go does.
func inline(text string) string {
	spelled, err := yaml.Marshal(text)
	line := strings.TrimSuffix(string(spelled), "\n")
	if err != nil || strings.ContainsFunc(text, quoted) || strings.ContainsAny(line, "\n\\") {
		return strconv.Quote(text)
	}
	return line
}

// quoted reports whether a character can stand in quotes only, escaped: YAML allows no control characters, and takes some of them, and
// U+2028 and U+2029, for the end of a line.
func quoted(r rune) bool {
	switch r {
	case '\t', '\n':
		return false
	case '\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.IsControl(r)
}
