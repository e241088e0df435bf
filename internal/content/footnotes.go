package content

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
)

// footnoteIDs is the key of a document under which it has the beginning of the ids of its footnotes.
const footnoteIDs = "footnoteIDs"

// footnotes is the extension for footnotes. Their ids begin with a name for the text, because a page may show several articles.
func footnotes() goldmark.Extender {
	return extension.NewFootnote(extension.WithFootnoteIDPrefixFunction(func(n ast.Node) []byte {
		prefix, _ := n.OwnerDocument().Meta()[footnoteIDs].([]byte)
		return prefix
	}))
}

// nameFootnotes names the text for the ids of its footnotes.
func nameFootnotes(doc ast.Node, source []byte) {
	sum := sha256.Sum256(source)
	doc.OwnerDocument().Meta()[footnoteIDs] = []byte("n" + hex.EncodeToString(sum[:4]) + "-")
}

// footnotesOf returns the footnotes of a document. They are its last block, wherever they are defined.
func footnotesOf(doc ast.Node) []*extast.Footnote {
	list, ok := doc.LastChild().(*extast.FootnoteList)
	if !ok {
		return nil
	}
	var notes []*extast.Footnote
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		if note, ok := n.(*extast.Footnote); ok {
			notes = append(notes, note)
		}
	}
	return notes
}

// footnotesWithin returns the Markdown of the footnotes that a range of the source defines, in the order of the source.
func footnotesWithin(doc ast.Node, source []byte, start, end int) string {
	notes := slices.DeleteFunc(footnotesOf(doc), func(note *extast.Footnote) bool {
		at := blockStart(source, note)
		return at < start || at >= end
	})
	slices.SortFunc(notes, func(a, b *extast.Footnote) int { return a.Pos() - b.Pos() })
	var b strings.Builder
	for _, note := range notes {
		b.Write(bytes.TrimRight(source[blockStart(source, note):footnoteEnd(note, source)], "\n"))
		b.WriteString("\n\n")
	}
	return b.String()
}

// footnoteEnd returns the index after the last line of a footnote.
func footnoteEnd(note ast.Node, source []byte) int {
	end := max(note.Pos(), 0)
	walk(note, func(n ast.Node) bool {
		if n.Type() != ast.TypeBlock {
			return false
		}
		if lines := n.Lines(); lines != nil && lines.Len() > 0 {
			end = max(end, lines.At(lines.Len()-1).Stop)
		}
		if n.Kind() == ast.KindFencedCodeBlock {
			end = fenceEnd(source, end)
		}
		return true
	})
	if end > 0 && source[end-1] == '\n' {
		return end
	}
	if at := bytes.IndexByte(source[end:], '\n'); at >= 0 {
		return end + at + 1
	}
	return len(source)
}

// fenceEnd returns the index after the line that ends a block of code. The fence is no line of the block.
func fenceEnd(source []byte, end int) int {
	line, _, _ := bytes.Cut(source[min(end, len(source)):], []byte("\n"))
	if trimmed := bytes.TrimLeft(line, " \t>"); bytes.HasPrefix(trimmed, []byte("```")) || bytes.HasPrefix(trimmed, []byte("~~~")) {
		return end + len(line)
	}
	return end
}
