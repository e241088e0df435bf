package content

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// inline writes the inline nodes below a node as Markdown, without addresses.
func (p *linkPass) inline(b *bytes.Buffer, parent ast.Node) {
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
		case *extast.FootnoteLink:
			p.footnoteLink(b, n)
		default:
			p.inline(b, n)
		}
	}
}

func (p *linkPass) text(b *bytes.Buffer, n *ast.Text) {
	b.Write(n.Segment.Value(p.source))
	switch {
	case n.HardLineBreak():
		b.WriteString("\\\n")
	case n.SoftLineBreak():
		b.WriteByte('\n')
	}
}

func (p *linkPass) wrapped(b *bytes.Buffer, n ast.Node, sign string) {
	var inner bytes.Buffer
	p.inline(&inner, n)
	if strings.TrimSpace(inner.String()) == "" {
		return
	}
	b.WriteString(sign + strings.TrimSpace(inner.String()) + sign)
}

// footnoteLink writes what refers to a footnote, unless nothing is left of that.
func (p *linkPass) footnoteLink(b *bytes.Buffer, n *extast.FootnoteLink) {
	if source, ok := p.citing[n.Index]; ok {
		p.citeBefore(b, n, source)
		return
	}
	label, ok := p.notes[n.Index]
	if !ok {
		p.removed++
		return
	}
	b.WriteString("[^" + label + "]")
}

// codeSpan writes code between as many backticks as it needs.
func (p *linkPass) codeSpan(b *bytes.Buffer, n ast.Node) {
	var inner bytes.Buffer
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
func (p *linkPass) link(b *bytes.Buffer, n *ast.Link) {
	var inner bytes.Buffer
	p.inline(&inner, n)
	words := inner.String()
	name := ""
	if n.Reference != nil && n.Reference.Type == ast.ReferenceLinkFull {
		name = string(n.Reference.Value)
	}
	switch {
	case p.rename != nil:
		p.renamed(b, n, name, words)
	case p.citation(b, n, name, words):
	case p.allowed(n, name, words):
		p.used[name] = true
		b.WriteString("[" + words + "][" + name + "]")
	default:
		p.removed++
		if n.Reference == nil || n.Reference.Type != ast.ReferenceLinkShortcut {
			b.WriteString(words)
		}
	}
}

// allowed reports whether a link may stay: it names a link that has not been used, outside headings, and its words may be one.
func (p *linkPass) allowed(n ast.Node, name, words string) bool {
	known := slices.ContainsFunc(p.Links, func(l NamedLink) bool { return l.Name == name })
	if !known || p.used[name] || len(p.used) >= p.Most || strings.ContainsAny(words, "[]\n") || strings.TrimSpace(words) == "" {
		return false
	}
	if inHeading(n) {
		return false
	}
	return p.Refuses == nil || !p.Refuses(inlineText(n, p.source))
}

func inHeading(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindHeading {
			return true
		}
	}
	return false
}
