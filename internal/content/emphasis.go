package content

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/width"
)

// emphasis is an extension for emphasis and strikethrough. Both work beside Chinese, Japanese and Korean, where no blanks are around
// words and punctuation, so that CommonMark takes the end of **重点。** for a beginning. The rules are those of
// https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md. Two tildes strike out, and one is a sign: "10~20".
type emphasis struct{}

// Extend implements goldmark.Extender.
func (emphasis) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(
		// Before goldmark's own parser of emphasis, whose priority is 500.
		util.Prioritized(emphasisParser{}, 450), util.Prioritized(strikethroughParser{}, 450),
	))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500)))
}

// emphasisParser parses the signs of emphasis.
type emphasisParser struct{}

// Trigger implements parser.InlineParser.
func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

// Parse implements parser.InlineParser.
func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	return pushDelimiter(scanDelimiter(block, emphasisProcessor{}), block, pc)
}

type emphasisProcessor struct{}

// IsDelimiter implements parser.DelimiterProcessor.
func (emphasisProcessor) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (emphasisProcessor) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (emphasisProcessor) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// strikethroughParser parses two tildes.
type strikethroughParser struct{}

// Trigger implements parser.InlineParser.
func (strikethroughParser) Trigger() []byte { return []byte{'~'} }

// Parse implements parser.InlineParser.
func (strikethroughParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	d := scanDelimiter(block, strikethroughProcessor{})
	if d == nil || d.OriginalLength != 2 || block.PrecendingCharacter() == '~' {
		return nil
	}
	return pushDelimiter(d, block, pc)
}

type strikethroughProcessor struct{}

// IsDelimiter implements parser.DelimiterProcessor.
func (strikethroughProcessor) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (strikethroughProcessor) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (strikethroughProcessor) OnMatch(int) ast.Node { return extast.NewStrikethrough() }

func pushDelimiter(d *parser.Delimiter, block text.Reader, pc parser.Context) ast.Node {
	if d == nil {
		return nil
	}
	_, segment := block.PeekLine()
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// scanDelimiter scans a run of signs, and says whether it can begin and end emphasis.
func scanDelimiter(block text.Reader, processor parser.DelimiterProcessor) *parser.Delimiter {
	line, segment := block.PeekLine()
	before := block.PrecendingCharacter()
	d := parser.ScanDelimiter(line, before, 1, processor)
	if d == nil || d.OriginalLength == len(line) {
		return d
	}
	if unicode.Is(unicode.Variation_Selector, before) {
		before = beforeSelector(block.Source()[:segment.Start])
	}
	after := util.ToRune(line, d.OriginalLength)
	if !isEastAsian(before) && !isEastAsian(after) {
		return d
	}
	left, right := flanks(before, after), flanks(after, before)
	d.CanOpen, d.CanClose = left, right
	if d.Char == '_' {
		d.CanOpen = left && (!right || util.IsPunctRune(before))
		d.CanClose = right && (!left || util.IsPunctRune(after))
	}
	return d
}

// flanks reports whether a run of signs belongs to the text on one of its sides.
func flanks(outside, inside rune) bool {
	separates := util.IsSpaceRune(outside) || isWesternPunct(outside) || isEastAsian(outside)
	return !util.IsSpaceRune(inside) && (!isWesternPunct(inside) || separates)
}

// beforeSelector returns the character that the last one of a text, a variation selector, belongs to.
func beforeSelector(source []byte) rune {
	_, size := utf8.DecodeLastRune(source)
	r, _ := utf8.DecodeLastRune(source[:len(source)-size])
	return r
}

// isEastAsian reports whether a character is one of Chinese, Japanese or Korean, or their punctuation.
func isEastAsian(r rune) bool {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return !isEmoji(r)
	case width.EastAsianHalfwidth:
		return true
	default:
		return unicode.Is(unicode.Hangul, r)
	}
}

// isEmoji reports whether a wide character is a picture: those that are no pictures are in the basic plane or the ideographic ones.
func isEmoji(r rune) bool {
	return r >= 0x1F000 && r < 0x20000 || unicode.Is(unicode.So, r) && r >= 0x2300 && r < 0x2C00
}

// isWesternPunct reports whether a character is punctuation around which other scripts have blanks.
func isWesternPunct(r rune) bool { return util.IsPunctRune(r) && !isEastAsian(r) }

// joinEastAsianLines takes out the line breaks between lines of Chinese or Japanese, of which a browser would make blanks.
func joinEastAsianLines(doc ast.Node, source []byte) {
	walk(doc, func(n ast.Node) bool {
		line, ok := n.(*ast.Text)
		if !ok || !line.SoftLineBreak() {
			return true
		}
		before, _ := utf8.DecodeLastRune(line.Value(source))
		next := n.NextSibling()
		for next != nil && next.Kind() != ast.KindText {
			next = next.FirstChild()
		}
		if following, ok := next.(*ast.Text); ok {
			after, _ := utf8.DecodeRune(following.Value(source))
			line.SetSoftLineBreak(!joinsLines(before, after))
		}
		return true
	})
}

// joinsLines reports whether a line break between two characters is none for readers, as between two lines of Chinese or Japanese, which
// have no blanks. Korean has them. See https://www.w3.org/TR/css-text-3/#line-break-transform.
func joinsLines(before, after rune) bool {
	return isEastAsian(before) && isEastAsian(after) && !unicode.Is(unicode.Hangul, before) && !unicode.Is(unicode.Hangul, after)
}
