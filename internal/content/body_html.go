package content

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// hasHTML reports whether a text has raw HTML.
func hasHTML(doc ast.Node, source []byte) bool {
	found := false
	if bytes.IndexByte(source, '<') >= 0 {
		walk(doc, func(n ast.Node) bool {
			found = found || n.Kind() == ast.KindHTMLBlock || n.Kind() == ast.KindRawHTML
			return !found
		})
	}
	return found
}

// readHTML reads the tags of a text with raw HTML from all of its HTML: a tag may end anywhere.
func (r *bodyReader) readHTML(doc ast.Node) error {
	rendered := &boundedBuffer{left: maxHTMLBytes}
	// Most texts have little markup.
	rendered.Grow(len(r.source) + len(r.source)/8)
	if err := markdown.Renderer().Render(rendered, r.source, doc); err != nil {
		return fmt.Errorf("reading the article: %w", err)
	}
	tokens := html.NewTokenizer(&rendered.Buffer)
	for {
		switch next := tokens.Next(); next {
		case html.ErrorToken:
			r.flush()
			return nil
		case html.TextToken:
			r.write(tokens.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			r.start(atom.Lookup(name), next == html.SelfClosingTagToken, func(see func(key, value string)) {
				for more {
					var key, value []byte
					key, value, more = tokens.TagAttr()
					see(string(key), string(value))
				}
			})
		case html.EndTagToken:
			name, _ := tokens.TagName()
			r.end(atom.Lookup(name))
		}
	}
}

func linkOf(its attributes) Link {
	var link Link
	its(func(key, value string) {
		switch key {
		case "href":
			link.URL = strings.TrimSpace(value)
		case "rel":
			link.NoFollow = slices.Contains(strings.Fields(strings.ToLower(value)), "nofollow")
		}
	})
	return link
}

func altOf(its attributes) string {
	alt := ""
	its(func(key, value string) {
		if key == "alt" {
			alt = oneLine(value)
		}
	})
	return alt
}
