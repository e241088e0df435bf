package content

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// NamedLinks are the links that a generated text may have. The text has their names, as in [words][a1], and we have their addresses.
type NamedLinks struct {
	// Links that the text may have, each once.
	Links []NamedLink
	// Most is how many of them it may have.
	Most int
	// Refuses reports whether words may not be a link; nil refuses none.
	Refuses func(words string) bool
	// Sources that the text may cite, each as often as it helps. Their names are in no text that readers get. The words that cite a source
	// without a URL are no link.
	Sources []NamedLink
	// MostSources is how many different ones the text may cite.
	MostSources int
}

// NamedLink is an address with the name that a generated text has for it.
type NamedLink struct{ Name, URL string }

// passes bounds how often a text is read again: what is left of hostile markup may be markup. The last passes leave no markup where
// there is still an address.
const passes = 6

// Apply removes every address from a generated body but the names of links: links and images keep their words, tags, bare addresses
// and definitions go. However a source is cited, the body has it as [words][name] after that. It returns the body, and how much it has
// removed or written in another way. A body that cannot be parsed stays as it is, and Normalize refuses it.
func (n NamedLinks) Apply(markdownText string) (body string, removed int) {
	body = clean(markdownText)
	for pass := range passes {
		source := []byte(body)
		if checkComplexity(source) != nil {
			return markdownText, removed
		}
		p := linkPass{NamedLinks: n, source: source, used: map[string]bool{}, cited: map[string]bool{}, plain: pass >= passes/2}
		body = p.run()
		if p.removed == 0 {
			break
		}
		removed += p.removed
	}
	return body, removed
}

// Define returns a body as readers get it: with the addresses of the links whose names it has, and without the names of sources. It also
// returns the citations that the body has, in order. Apply has left no other addresses in it.
func (n NamedLinks) Define(body string) (markdownText string, cited []Citation) {
	links := n.Links
	if len(n.Sources) > 0 {
		body, cited = n.labelled(body)
		links = slices.Clone(links)
		for i, s := range n.Sources {
			links = append(links, NamedLink{Name: label(i), URL: s.URL})
		}
	}
	var b strings.Builder
	for _, l := range links {
		if l.URL != "" && strings.Contains(body, "]["+l.Name+"]") {
			b.WriteString("\n[" + l.Name + "]: <" + l.URL + ">")
		}
	}
	if b.Len() == 0 {
		return body, cited
	}
	return strings.TrimRight(body, "\n") + "\n" + b.String(), cited
}

// definedLink is a definition as Define writes it.
var definedLink = regexp.MustCompile(`\n\[([a-z][0-9]+)\]: <([^>\n]+)>$`)

// SplitLinks undoes Define: it returns the body of a generated text with the names of its links, and the links.
func SplitLinks(markdownText string) (body string, links []NamedLink) {
	body = strings.TrimRight(markdownText, "\n")
	for {
		m := definedLink.FindStringSubmatch(body)
		if m == nil {
			return strings.TrimRight(body, "\n"), links
		}
		body = strings.TrimSuffix(body, m[0])
		links = append([]NamedLink{{Name: m[1], URL: m[2]}}, links...)
	}
}

// linkPass is one reading of a body.
type linkPass struct {
	NamedLinks
	source  []byte
	used    map[string]bool
	removed int
	// cited are the sources that the body has cited so far.
	cited map[string]bool
	// rename returns the new name of a link, or "" if it loses its link. If it is set, the pass does nothing else.
	rename func(name, words string) string
	edits  []textEdit
	// notes are the labels of the footnotes that stay, by their numbers.
	notes map[int]string
	// citing are the sources that footnotes cite by their labels.
	citing map[int]string
	// plain means that a block that still shows an address becomes plain text.
	plain bool
}

func (p *linkPass) run() string {
	names := parser.NewContext()
	for _, name := range p.names() {
		// The first definition of a name counts: the text cannot give it another address.
		names.AddReference(parser.NewReference([]byte(name), []byte("#"), nil))
	}
	doc := markdown.Parser().Parse(text.NewReader(p.source), parser.WithContext(names))
	p.footnotes(doc)
	walk(doc, func(n ast.Node) bool {
		isLeaf := n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline
		switch {
		case p.rename != nil && !isLeaf:
			return n.Type() != ast.TypeInline
		case n.Kind() == ast.KindLinkReferenceDefinition:
			p.replace(n.Lines(), nil)
			return false
		case n.Kind() == ast.KindHTMLBlock:
			p.htmlBlock(n)
			return false
		case n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock:
			p.codeBlock(n)
			return false
		case isLeaf:
			p.leaf(n)
			return false
		}
		return n.Type() != ast.TypeInline
	})
	return applyEdits(p.source, p.edits)
}

// footnotes removes the footnotes that are only addresses, or stand for sources.
func (p *linkPass) footnotes(doc ast.Node) {
	p.notes, p.citing = map[int]string{}, map[int]string{}
	for _, note := range footnotesOf(doc) {
		// A number is one of the text's own footnotes.
		source := strings.ToLower(string(note.Ref))
		cites := p.sourceIndex(source) >= 0
		if p.rename != nil || !cites && strings.Trim(WithoutAddresses(blockText(note, p.source)), " .,;:") != "" {
			p.notes[note.Index] = string(note.Ref)
			continue
		}
		if cites {
			p.citing[note.Index] = source
		}
		p.removed++
		p.edits = append(p.edits, textEdit{start: blockStart(p.source, note), end: footnoteEnd(note, p.source)})
	}
}

// replace puts new lines in place of those of a block, and leaves what stands before them, such as the signs of a quote.
func (p *linkPass) replace(lines *text.Segments, with []string) {
	p.removed++
	for i := range lines.Len() {
		line, last := lines.At(i), i == lines.Len()-1
		e := textEdit{start: line.Start, end: line.Start + len(bytes.TrimRight(line.Value(p.source), "\n"))}
		if i < len(with) && last {
			e.text = strings.Join(with[i:], " ")
		} else if i < len(with) {
			e.text = with[i]
		}
		p.edits = append(p.edits, e)
	}
}

// htmlBlock leaves the words of a block of HTML, as one line of plain text.
func (p *linkPass) htmlBlock(n ast.Node) {
	lines := n.Lines()
	raw := string(lines.Value(p.source))
	if block, ok := n.(*ast.HTMLBlock); ok && block.HasClosure() {
		raw += string(block.ClosureLine.Value(p.source))
		lines = text.NewSegments()
		lines.AppendAll(n.Lines().Sliced(0, n.Lines().Len()))
		lines.Append(block.ClosureLine)
	}
	p.replace(lines, []string{EscapeText(WithoutAddresses(oneLine(wordsOfHTML(raw))))})
}

// codeBlock takes the addresses out of code.
func (p *linkPass) codeBlock(n ast.Node) {
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		if value := line.Value(p.source); addressLike.Match(value) {
			p.removed++
			p.edits = append(p.edits, textEdit{start: line.Start, end: line.Stop, text: takeOut(string(value))})
		}
	}
}

// leaf writes the text of a paragraph, a heading or a cell again if it has an address.
func (p *linkPass) leaf(n ast.Node) {
	before := p.removed
	visible := inlineText(n, p.source)
	if p.rename == nil && addressLike.MatchString(visible) && (p.plain || bytes.ContainsAny(n.Lines().Value(p.source), "&\\")) {
		// It may be written with escapes or entities, or stay an address whatever is taken out of it.
		p.replace(n.Lines(), []string{EscapeText(WithoutAddresses(visible))})
		return
	}
	var b bytes.Buffer
	p.inline(&b, n)
	written := p.noted(n, b.String())
	if p.rename == nil && addressLike.MatchString(written) {
		p.removed++
		written = takeOut(written)
	}
	if p.removed == before {
		return
	}
	p.removed = before
	if p.plain {
		written = EscapeText(WithoutAddresses(visible))
	}
	p.replace(n.Lines(), strings.Split(written, "\n"))
}

// textSigns may be markup in a line of Markdown. The colon and the at sign are part of bare addresses.
const textSigns = "\\`*_[]<>&#|~:@"

// EscapeText makes plain text read as itself within a line of Markdown.
func EscapeText(plain string) string {
	var b strings.Builder
	for i, r := range plain {
		isHost := r == '.' && i >= 3 && strings.EqualFold(plain[i-3:i], "www")
		if isHost || strings.ContainsRune(textSigns, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
