package content

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
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
}

// NamedLink is an address with the name that a generated text has for it.
type NamedLink struct{ Name, URL string }

// passes bounds how often a text is read again: what is left of hostile markup may be markup. The last passes leave no markup where
// there is still an address.
const passes = 6

// Apply removes every address from a generated body but the names of links: links and images keep their words, tags, bare addresses
// and definitions go. It returns the body, and how many addresses it has removed. A body that cannot be parsed stays as it is, and
// Normalize refuses it.
func (n NamedLinks) Apply(markdownText string) (body string, removed int) {
	body = clean(markdownText)
	for pass := range passes {
		source := []byte(body)
		if checkComplexity(source) != nil {
			return markdownText, removed
		}
		p := linkPass{NamedLinks: n, source: source, used: map[string]bool{}, plain: pass >= passes/2}
		body = p.run()
		if p.removed == 0 {
			break
		}
		removed += p.removed
	}
	return body, removed
}

// Define appends the addresses of the links whose names a body has. Apply has left no others in it.
func (n NamedLinks) Define(body string) string {
	var b strings.Builder
	for _, l := range n.Links {
		if strings.Contains(body, "]["+l.Name+"]") {
			b.WriteString("\n[" + l.Name + "]: <" + l.URL + ">")
		}
	}
	if b.Len() == 0 {
		return body
	}
	return strings.TrimRight(body, "\n") + "\n" + b.String()
}

// linkPass is one reading of a body.
type linkPass struct {
	NamedLinks
	source  []byte
	used    map[string]bool
	removed int
	edits   []textEdit
	// plain means that a block that still shows an address becomes plain text.
	plain bool
}

func (p *linkPass) run() string {
	names := parser.NewContext()
	for _, l := range p.Links {
		// The first definition of a name counts: the text cannot give it another address.
		names.AddReference(parser.NewReference([]byte(l.Name), []byte("#"+l.Name), nil))
	}
	walk(markdown.Parser().Parse(text.NewReader(p.source), parser.WithContext(names)), func(n ast.Node) bool {
		switch {
		case n.Kind() == ast.KindLinkReferenceDefinition:
			p.replace(n.Lines(), nil)
			return false
		case n.Kind() == ast.KindHTMLBlock:
			p.htmlBlock(n)
			return false
		case n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock:
			p.codeBlock(n)
			return false
		case n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline:
			p.leaf(n)
			return false
		}
		return n.Type() != ast.TypeInline
	})
	return applyEdits(p.source, p.edits)
}

// replace puts new lines in place of those of a block, and leaves what stands before them, such as the signs of a quote.
func (p *linkPass) replace(lines *text.Segments, with []string) {
	p.removed++
	for i := range lines.Len() {
		line := lines.At(i)
		end := line.Start + len(bytes.TrimRight(line.Value(p.source), "\n"))
		with, at := with, line.Start
		if i == lines.Len()-1 && len(with) > i {
			p.edits = append(p.edits, textEdit{start: at, end: max(end, at), text: strings.Join(with[i:], " ")})
			continue
		}
		one := ""
		if i < len(with) {
			one = with[i]
		}
		p.edits = append(p.edits, textEdit{start: at, end: max(end, at), text: one})
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
	p.replace(lines, []string{escapeText(WithoutAddresses(oneLine(wordsOfHTML(raw))))})
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
	if addressLike.MatchString(visible) && (p.plain || bytes.ContainsAny(n.Lines().Value(p.source), "&\\")) {
		// It may be written with escapes or entities, or stay an address whatever is taken out of it.
		p.replace(n.Lines(), []string{escapeText(WithoutAddresses(visible))})
		return
	}
	var b strings.Builder
	p.inline(&b, n)
	written := b.String()
	if addressLike.MatchString(written) {
		p.removed++
		written = takeOut(written)
	}
	if p.removed == before {
		return
	}
	p.removed = before
	if p.plain {
		written = escapeText(WithoutAddresses(visible))
	}
	p.replace(n.Lines(), strings.Split(written, "\n"))
}

// inline writes the inline nodes below a node as Markdown, without addresses.
func (p *linkPass) inline(b *strings.Builder, parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			p.text(b, n)
		case *ast.CodeSpan:
			p.codeSpan(b, n)
		case *ast.Emphasis:
			p.wrapped(b, n, strings.Repeat("*", n.Level))
		case *extast.Strikethrough:
			p.wrapped(b, n, "~~")
		case *ast.Link:
			p.link(b, n)
		case *ast.Image:
			p.removed++
			p.inline(b, n)
		case *ast.AutoLink, *ast.RawHTML:
			p.removed++
		case *ast.String:
			b.Write(n.Value)
		default:
			p.inline(b, n)
		}
	}
}

func (p *linkPass) text(b *strings.Builder, n *ast.Text) {
	b.Write(n.Segment.Value(p.source))
	switch {
	case n.HardLineBreak():
		b.WriteString("\\\n")
	case n.SoftLineBreak():
		b.WriteByte('\n')
	}
}

func (p *linkPass) wrapped(b *strings.Builder, n ast.Node, sign string) {
	var inner strings.Builder
	p.inline(&inner, n)
	if strings.TrimSpace(inner.String()) == "" {
		return
	}
	b.WriteString(sign + strings.TrimSpace(inner.String()) + sign)
}

// codeSpan writes code between as many backticks as it needs.
func (p *linkPass) codeSpan(b *strings.Builder, n ast.Node) {
	var inner strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			inner.Write(t.Segment.Value(p.source))
		}
	}
	code := strings.ReplaceAll(inner.String(), "\n", " ")
	if addressLike.MatchString(code) {
		p.removed++
		code = takeOut(code)
	}
	if strings.TrimSpace(code) == "" {
		return
	}
	fence := "`"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		code = " " + code + " "
	}
	b.WriteString(fence + code + fence)
}

// link writes a link by its name if it may stay, else its words. A name without words is no text.
func (p *linkPass) link(b *strings.Builder, n *ast.Link) {
	var inner strings.Builder
	p.inline(&inner, n)
	words := inner.String()
	name := ""
	if n.Reference != nil && n.Reference.Type == ast.ReferenceLinkFull {
		name = string(n.Reference.Value)
	}
	if p.allowed(n, name, words) {
		p.used[name] = true
		b.WriteString("[" + words + "][" + name + "]")
		return
	}
	p.removed++
	if n.Reference != nil && n.Reference.Type == ast.ReferenceLinkShortcut {
		return
	}
	b.WriteString(words)
}

// allowed reports whether a link may stay: it names a link that has not been used, outside headings, and its words may be one.
func (p *linkPass) allowed(n ast.Node, name, words string) bool {
	known := slices.ContainsFunc(p.Links, func(l NamedLink) bool { return l.Name == name })
	if !known || p.used[name] || len(p.used) >= p.Most || strings.ContainsAny(words, "[]\n") || strings.TrimSpace(words) == "" {
		return false
	}
	for up := n.Parent(); up != nil; up = up.Parent() {
		if up.Kind() == ast.KindHeading {
			return false
		}
	}
	return p.Refuses == nil || !p.Refuses(inlineText(n, p.source))
}

// textSigns may be markup in a line of Markdown. The colon and the at sign are part of bare addresses.
const textSigns = "\\`*_[]<>&#|~:@"

// escapeText makes plain text read as itself in Markdown.
func escapeText(plain string) string {
	var b strings.Builder
	for _, r := range plain {
		if strings.ContainsRune(textSigns, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
