package modeltext

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"go.yaml.in/yaml/v3"
)

const (
	// maxAround bounds the words before and behind a fence, which say something about the text in it.
	maxAround = 60
	// maxFrontMatter bounds front matter, in bytes.
	maxFrontMatter = 16 << 10
)

// Languages of a fence around a text. A fence of another language has code.
var (
	markdownLanguages = []string{"markdown", "md", "mdx", "gfm", "article"}
	textLanguages     = []string{"", "text", "txt", "plaintext", "plain"}
)

// unfenced takes off a code fence around the text, with a few words before and behind it. Some answers do not close it.
func unfenced(r *reader, text string) string {
	blocks := r.topLevel(text)
	at := slices.IndexFunc(blocks, func(b block) bool { return b.node.Kind() == ast.KindFencedCodeBlock })
	if at < 0 || !areWords(text, blocks[:at]) {
		return text
	}
	f := readFence(text, blocks[at])
	if !slices.Contains(markdownLanguages, f.language) && !slices.Contains(textLanguages, f.language) {
		return text
	}
	switch {
	case !f.closed:
		if at == 0 || f.isMarkdown() {
			return f.content
		}
	case f.opensAnother:
		return f.withoutOuter(r, text)
	case at == 0 && len(blocks) == 1:
		return f.content
	case f.isMarkdown() && areWords(text, blocks[at+1:]):
		return f.content
	}
	return text
}

// fence is a code block between fences.
type fence struct {
	language, sign, content string
	contentStart            int
	closed                  bool
	// opensAnother is whether its content has a line that opens another code block.
	opensAnother bool
}

func readFence(text string, b block) fence {
	first, rest, _ := strings.Cut(text[b.start:b.end], "\n")
	info := strings.TrimLeft(strings.TrimSpace(first), "`~")
	f := fence{sign: strings.TrimSuffix(strings.TrimSpace(first), info), contentStart: min(b.start+len(first)+1, len(text))}
	f.language, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(info)), " ")
	size := 0
	for i := range b.node.Lines().Len() {
		line := b.node.Lines().At(i)
		size = line.Stop - f.contentStart
		value := strings.TrimSpace(text[line.Start:line.Stop])
		f.opensAnother = f.opensAnother || strings.HasPrefix(value, f.sign) && strings.Trim(value, f.sign[:1]) != ""
	}
	f.content = rest[:min(max(size, 0), len(rest))]
	f.closed = strings.TrimSpace(rest[len(f.content):]) != ""
	return f
}

// withoutOuter takes off a fence that has as many signs as those in it: the first closing fence is that of code in the text.
func (f fence) withoutOuter(r *reader, text string) string {
	inner := text[f.contentStart:]
	if last := strings.LastIndexByte(inner, '\n') + 1; strings.TrimSpace(inner[last:]) == f.sign && !isClosed(r, inner) {
		inner = inner[:last]
	}
	if isClosed(r, inner) {
		return inner
	}
	return text
}

// isMarkdown reports whether the content is Markdown by its language, or by its headings.
func (f fence) isMarkdown() bool {
	return slices.Contains(markdownLanguages, f.language) || subheading.MatchString(f.content)
}

var subheading = regexp.MustCompile(`(?m)^#{2,3} \S`)

// isClosed reports whether all fences of a text are closed.
func isClosed(r *reader, text string) bool {
	for _, b := range r.topLevel(text) {
		if b.node.Kind() == ast.KindFencedCodeBlock && !readFence(text, b).closed {
			return false
		}
	}
	return true
}

// areWords reports whether blocks are only a few words.
func areWords(text string, blocks []block) bool {
	words := 0
	for _, b := range blocks {
		if b.node.Kind() != ast.KindParagraph && b.node.Kind() != ast.KindThematicBreak {
			return false
		}
		words += len(strings.Fields(text[b.start:b.end]))
	}
	return words <= maxAround
}

// withoutFrontMatter takes off the fields that generators of sites read from the beginning of a file: YAML, TOML, or lines with the names
// of fields.
func withoutFrontMatter(_ *reader, text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	switch sign := strings.TrimSpace(first); sign {
	case "---", "+++":
		front, body, ok := cutLine(rest, sign)
		if ok && (sign == "+++" && isTOML(front) || sign == "---" && isYAML(front)) {
			return body
		}
		return text
	}
	if m := fieldLines.FindStringIndex(text); m != nil {
		return text[m[1]:]
	}
	return text
}

// cutLine cuts a text at the first line that has only a sign.
func cutLine(text, sign string) (before, after string, ok bool) {
	at := 0
	for line := range strings.Lines(text[:min(len(text), maxFrontMatter)]) {
		if strings.TrimSpace(line) == sign {
			return text[:at], text[at+len(line):], true
		}
		at += len(line)
	}
	return "", "", false
}

// fieldName are the fields that every generator of sites knows.
const fieldName = `(?:meta[ _-]?|seo[ _-]?|url[ _-]?|page[ _-]?)?(?:title|slug|description|keywords?|tags|categor(?:y|ies)|` +
	`layout|author|date|draft|excerpt|permalink|language|lang)`

var (
	knownField = regexp.MustCompile(`(?i)^` + fieldName + `$`)
	tomlLine   = regexp.MustCompile(`^\s*(?:[\w.-]+\s*=\s*\S.*|\[.*\]|#.*|[\]"'].*)?$`)
	// fieldLines are at least two lines with fields of a text, such as **Meta description:** Words.
	fieldLines = regexp.MustCompile(`^(?i:(?:[-*] )?\*{0,2}` + fieldName + `\*{0,2}:\*{0,2}[ \t]+\S.*\n+){2,}(?:(?:---|\*\*\*)[ \t]*\n)?`)
)

func isTOML(front string) bool {
	return !slices.ContainsFunc(strings.Split(front, "\n"), func(line string) bool { return !tomlLine.MatchString(line) })
}

// isYAML reports whether a text is fields with names, of which one is known. Aliases are not resolved.
func isYAML(front string) bool {
	var root yaml.Node
	if yaml.Unmarshal([]byte(front), &root) != nil || len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return false
	}
	for i, name := range root.Content[0].Content {
		if i%2 == 0 && knownField.MatchString(name.Value) {
			return true
		}
	}
	return false
}
