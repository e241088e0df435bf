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
// https, mailto and relative addresses, and only harmless elements of raw HTML are kept. It is a balanced fragment, whatever the raw
// HTML leaves open. Nothing is added to links. It fails only if the text is too long or too complex.
func HTML(markdownText string) (string, error) {
	source := []byte(clean(markdownText))
	doc, err := Parse(source)
	if err != nil {
		return "", fmt.Errorf("rendering the article: %w", err)
	}
	rendered, err := render(doc, source, policy)
	if err != nil {
		return "", fmt.Errorf("rendering the article: %w", err)
	}
	return rendered, nil
}

// render returns the HTML of a parsed text as a policy allows it.
func render(doc ast.Node, source []byte, allowed *bluemonday.Policy) (string, error) {
	if err := prepare(doc); err != nil {
		return "", err
	}
	var rendered bytes.Buffer
	if err := markdown.Renderer().Render(&rendered, source, doc); err != nil {
		return "", err
	}
	if rendered.Len() > maxHTMLBytes {
		return "", ErrTooLong
	}
	return balance(allowed.SanitizeReader(&rendered))
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

var (
	// policy lists the allowed HTML. It never changes, so concurrent use is safe.
	policy = newPolicy()
	// readingPolicy allows the numbers of sections too.
	readingPolicy = newPolicy().AllowAttrs(sectionAttribute).OnElements("h2", "h3", "h4", "h5", "h6")
)

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "strong", "em", "b", "i", "u",
		"s", "del", "ins", "sub", "sup", "small", "mark", "kbd", "samp", "var", "q", "abbr", "cite", "ul", "ol", "li", "dl", "dt",
		"dd", "div", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "figcaption", "details", "summary")
	number := regexp.MustCompile(`^[0-9]{1,4}$`)
	p.AllowAttrs("start").Matching(number).OnElements("ol")
	p.AllowAttrs("colspan", "rowspan").Matching(number).OnElements("th", "td")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\w+#.-]{1,40}$`)).OnElements("code")
	p.AllowAttrs("title").OnElements("abbr", "a", "img")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^n[0-9a-f]{8}-fn(ref[0-9]*)?:[0-9]+$`)).OnElements("sup", "li")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^doc-(noteref|backlink)$`)).OnElements("a")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^doc-endnotes$`)).OnElements("div")

	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireNoFollowOnLinks(false)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^(?i)(nofollow|sponsored|ugc)( (nofollow|sponsored|ugc))*$`)).OnElements("a")
	// An image is fetched, so its address is http, https or relative: without a colon before the first /, ? or #.
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^(?i:https?:|[^:/?#]*([/?#]|$))`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(number).OnElements("img")
	return p
}
