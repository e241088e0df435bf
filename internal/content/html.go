package content

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// maxHTMLBytes bounds the HTML of a body. The longest escape of one character has six bytes.
const maxHTMLBytes = 8 * v1alpha1.MaxMarkdownBytes

// HTML turns Markdown into safe HTML without <h1>: first-level headings become second-level ones, links keep only http,
// https, mailto and relative addresses, and only harmless elements of raw HTML are kept. Nothing is added to links. It fails
// only if the text is too long or too complex.
func HTML(markdownText string) (string, error) {
	source := []byte(clean(markdownText))
	doc, err := Parse(source)
	if err != nil {
		return "", fmt.Errorf("rendering the article: %w", err)
	}
	rendered, err := render(doc, source)
	if err != nil {
		return "", fmt.Errorf("rendering the article: %w", err)
	}
	return policy.SanitizeReader(rendered).String(), nil
}

// render returns the HTML of a parsed text, before it is sanitised.
func render(doc ast.Node, source []byte) (*bytes.Buffer, error) {
	if err := prepare(doc); err != nil {
		return nil, err
	}
	var rendered bytes.Buffer
	if err := markdown.Renderer().Render(&rendered, source, doc); err != nil {
		return nil, err
	}
	if rendered.Len() > maxHTMLBytes {
		return nil, ErrTooLong
	}
	return &rendered, nil
}

// prepare demotes first-level headings. It refuses link references that would make the HTML too long: each use repeats the whole
// address.
func prepare(doc ast.Node) error {
	expanded := 0
	walk(doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = max(n.Level, 2)
		case *ast.Link:
			expanded += len(n.Destination) + len(n.Title)
		case *ast.Image:
			expanded += len(n.Destination) + len(n.Title)
		}
		return true
	})
	if expanded > maxHTMLBytes {
		return ErrTooLong
	}
	return nil
}

// policy lists the allowed HTML. It never changes, so concurrent use is safe.
var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "strong", "em", "b", "i", "u",
		"s", "del", "ins", "sub", "sup", "small", "mark", "kbd", "samp", "var", "q", "abbr", "cite", "ul", "ol", "li", "dl", "dt",
		"dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "figcaption", "details", "summary")
	number := regexp.MustCompile(`^[0-9]{1,4}$`)
	p.AllowAttrs("start").Matching(number).OnElements("ol")
	p.AllowAttrs("colspan", "rowspan").Matching(number).OnElements("th", "td")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\w+#.-]{1,40}$`)).OnElements("code")
	p.AllowAttrs("title").OnElements("abbr", "a", "img")

	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireNoFollowOnLinks(false)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^(nofollow|sponsored|ugc)( (nofollow|sponsored|ugc))*$`)).OnElements("a")
	// An image is fetched, so its address is http, https or relative: without a colon before the first /, ? or #.
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^(?i:https?:|[^:/?#]*([/?#]|$))`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(number).OnElements("img")
	return p
}
