package content

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// Citation is a place of a generated text that cites a source, or something that is none.
type Citation struct {
	// Words that cite.
	Words string
	// Source is the name that the text has for it.
	Source string
}

const (
	// maxCitingWords is how many words before a name alone become the words that cite.
	maxCitingWords = 6
	// maxCitingRunes is how many characters of a script without blanks do.
	maxCitingRunes = 24
	// maxNames bounds the names that are read in a body.
	maxNames = 200
)

// sourceWords are the word source, and what stands for it, in the languages that models write most.
const sourceWords = `sources?|src|ref|see|quellen?|siehe|fuentes?|fontes?|fonti|bron(?:nen)?|källor|källa|kilder?|kaynak|źródł[oa]|zdroj|` +
	`出典|来源|출처`

// oneName is a name or a number of a source.
const oneName = `[a-z0-9][a-z0-9-]{0,30}`

var (
	// bracketLabel is what may be a name, or names.
	bracketLabel = regexp.MustCompile(`\[([^\[\]\n]{1,100})\]`)
	// secondLabel is the name of a link, behind its words.
	secondLabel = regexp.MustCompile(`\]\[([a-z][a-z0-9-]{1,30})\]`)
	// sourceWord stands before a name, as in "source: survey".
	sourceWord = regexp.MustCompile(`^(?:` + sourceWords + `)\s?:\s*`)
	// sourceName is a name that a source can have, or its number.
	sourceName = regexp.MustCompile(`^(?:[a-z][a-z0-9-]{0,30}|[0-9]{1,2})$`)
	// sourceNumber is a source by its place.
	sourceNumber = regexp.MustCompile(`^s?([0-9]{1,2})$`)
	// citedWords are words with a name, and citedNames names alone.
	citedWords = regexp.MustCompile(`\[([^\[\]\n]{1,200})\]\[[^\[\]\n]{1,100}\]`)
	citedNames = regexp.MustCompile(` ?\[[^\[\]\n]{1,100}\]`)
	// ownName is the name of an article of the site.
	ownName = regexp.MustCompile(`^a[0-9]+$`)
	// sourceNote is a citation in parentheses, such as "(source: survey)".
	sourceNote = regexp.MustCompile(`(?i) ?\((?:` + sourceWords + `)\s?:\s*(` + oneName + `(?:\s*[,;]\s*` + oneName + `){0,9})\)`)
)

// IsOwnName reports whether a name in a text is that of an article of the site, and not that of a source.
func IsOwnName(name string) bool { return ownName.MatchString(name) }

// label is the name that a source has in the text that readers get: not its own.
func label(i int) string { return fmt.Sprintf("s%d", i+1) }

func (n NamedLinks) sourceIndex(name string) int {
	return slices.IndexFunc(n.Sources, func(s NamedLink) bool { return s.Name == name })
}

// cites returns the source that a label of a body means: by its name, by its number, of several names the first one. A name behind a word
// such as "source:" cites even if no source has it.
func (n NamedLinks) cites(label string) (name string, ok bool) {
	if len(n.Sources) == 0 {
		return "", false
	}
	text := strings.TrimLeft(strings.ToLower(strings.TrimSpace(label)), "^@")
	said := sourceWord.ReplaceAllString(text, "")
	for part := range strings.FieldsFuncSeq(said, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		if n.sourceIndex(part) < 0 {
			if m := sourceNumber.FindStringSubmatch(part); m != nil {
				part = n.numbered(m[1])
			} else if said == text || !sourceName.MatchString(part) {
				return "", false
			}
		}
		if name == "" {
			name = part
		}
	}
	return name, name != ""
}

// numbered returns the name of the source with a number, or the number if there is none.
func (n NamedLinks) numbered(digits string) string {
	if i, err := strconv.Atoi(digits); err == nil && i >= 1 && i <= len(n.Sources) {
		return n.Sources[i-1].Name
	}
	return digits
}

// names are those that are links in the body: of the site's articles, of sources, and of sources that there are not.
func (p *linkPass) names() []string {
	var names []string
	for _, l := range p.Links {
		names = append(names, l.Name)
	}
	if len(p.Sources) == 0 {
		return names
	}
	add := func(name string) {
		if len(names) < maxNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range p.Sources {
		add(s.Name)
	}
	for _, m := range secondLabel.FindAllSubmatch(p.source, -1) {
		if name := string(m[1]); !ownName.MatchString(name) {
			add(name)
		}
	}
	for _, m := range bracketLabel.FindAllSubmatch(p.source, -1) {
		if _, ok := p.cites(string(m[1])); ok {
			add(string(m[1]))
		}
	}
	return names
}

// citation writes a link that cites a source; false if it cites none.
func (p *linkPass) citation(b *bytes.Buffer, n *ast.Link, name, words string) bool {
	if len(p.Sources) == 0 || slices.ContainsFunc(p.Links, func(l NamedLink) bool { return l.Name == name }) {
		return false
	}
	source, cites := p.cites(name)
	if name == "" {
		// The name stands alone, or where an address would.
		if source, cites = p.cites(words); !cites {
			words = strings.TrimSpace(words)
			source, cites = p.cites(strings.TrimPrefix(string(n.Destination), "#"))
		}
	} else if !cites {
		source, cites = name, true
	}
	if !cites {
		return false
	}
	if _, isName := p.cites(words); isName {
		p.citeBefore(b, n, source)
		return true
	}
	p.cite(b, n, source, words, name == source)
	return true
}

// cite writes words that cite a source. as is whether the body has them in this form already.
func (p *linkPass) cite(b *bytes.Buffer, n ast.Node, source, words string, as bool) {
	tidy := strings.TrimSpace(strings.ReplaceAll(words, "\n", " "))
	may := p.cited[source] || len(p.cited) < p.MostSources
	if !may || tidy == "" || strings.ContainsAny(tidy, "[]") || inHeading(n) {
		p.removed++
		b.WriteString(words)
		return
	}
	if !as || tidy != words {
		p.removed++
	}
	p.cited[source] = true
	b.WriteString("[" + tidy + "][" + source + "]")
}

// citeBefore makes the last words of what is written cite a source: a name alone stands behind what rests on the source.
func (p *linkPass) citeBefore(b *bytes.Buffer, n ast.Node, source string) {
	p.removed++
	written := bytes.TrimRight(b.Bytes(), " \t\n")
	end := len(bytes.TrimRight(written, sentenceEnds))
	start := lastWords(written[:end])
	if start == end || inHeading(n) {
		b.Truncate(len(written))
		return
	}
	words, stop := string(written[start:end]), string(written[end:])
	b.Truncate(start)
	p.cite(b, n, source, words, false)
	b.WriteString(stop)
}

const (
	sentenceEnds = ".!?,;:。！？、，"
	// lineMarkup are signs that the words of a citation may not have.
	lineMarkup = "[]()*_`~<>&|\\"
)

// lastWords returns where the last words of a line of Markdown begin that are of one sentence and have no markup.
func lastWords(line []byte) int {
	start := len(line)
	for range maxCitingWords {
		rest := bytes.TrimRight(line[:start], " \t")
		at := bytes.LastIndexAny(rest, " \t\n") + 1
		word := rest[at:]
		isFirst := start == len(line)
		if len(word) == 0 || bytes.ContainsAny(word, lineMarkup) || addressLike.Match(word) {
			break
		}
		if endsSentence := bytes.ContainsAny(word[len(word)-1:], sentenceEnds); endsSentence && !isFirst {
			break
		}
		if isFirst && utf8.RuneCount(word) > maxCitingRunes {
			// A script without blanks, most likely.
			return len(rest) - len(lastRunes(word))
		}
		start = at
	}
	return start
}

// lastRunes returns the last runes of a text that are of one sentence.
func lastRunes(text []byte) []byte {
	text = []byte(string([]rune(string(text))[utf8.RuneCount(text)-maxCitingRunes:]))
	i := bytes.LastIndexAny(text, sentenceEnds)
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRune(text[i:])
	return text[i+size:]
}

// noted makes citations of those in parentheses in a line of Markdown.
func (p *linkPass) noted(n ast.Node, written string) string {
	if len(p.Sources) == 0 || p.rename != nil || !sourceNote.MatchString(written) {
		return written
	}
	var b bytes.Buffer
	at := 0
	for _, m := range sourceNote.FindAllStringSubmatchIndex(written, -1) {
		source, cites := p.cites(strings.Trim(written[m[0]:m[1]], " ()"))
		if !cites {
			continue
		}
		b.WriteString(written[at:m[0]])
		p.citeBefore(&b, n, source)
		at = m[1]
	}
	b.WriteString(written[at:])
	return b.String()
}

// WithoutNames returns a text that is no Markdown, such as a title or an answer, without citations of sources. Their words stay.
func (n NamedLinks) WithoutNames(text string) string {
	if len(n.Sources) == 0 || !strings.ContainsAny(text, "[(") {
		return text
	}
	for _, marks := range []*regexp.Regexp{citedNames, sourceNote} {
		text = marks.ReplaceAllStringFunc(citedWords.ReplaceAllString(text, "$1"), func(mark string) string {
			if _, ok := n.cites(strings.Trim(mark, " []()")); ok {
				return ""
			}
			return mark
		})
	}
	return text
}

// labelled gives the sources of a body the names that readers may see, and returns the citations.
func (n NamedLinks) labelled(body string) (string, []Citation) {
	var cited []Citation
	body = n.Rename(body, func(name, words string) string {
		if slices.ContainsFunc(n.Links, func(l NamedLink) bool { return l.Name == name }) {
			return name
		}
		cited = append(cited, Citation{Words: words, Source: name})
		if i := n.sourceIndex(name); i >= 0 && n.Sources[i].URL != "" {
			return label(i)
		}
		return ""
	})
	return body, cited
}

// Rename gives the links of a body other names: rename returns the new one for a name and its words, or "" if only the words are to stay.
// The body is one that Apply has read, or that SplitLinks returns.
func (n NamedLinks) Rename(body string, rename func(name, words string) string) string {
	p := linkPass{NamedLinks: n, source: []byte(body), rename: rename}
	if checkComplexity(p.source) != nil {
		return body
	}
	return p.run()
}

// renamed writes a link with its new name.
func (p *linkPass) renamed(b *bytes.Buffer, n *ast.Link, name, words string) {
	if n.Reference == nil {
		b.WriteString("[" + words + "](<" + string(n.Destination) + ">)")
		return
	}
	to := p.rename(name, inlineText(n, p.source))
	if to != name {
		p.removed++
	}
	if to == "" {
		b.WriteString(words)
		return
	}
	b.WriteString("[" + words + "][" + to + "]")
}
