package reading

import (
	"cmp"
	"html/template"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// withoutImages returns a sanitised text with a box in the place of each image, which has its alternative text. A browser would draw the
// sign of an image that is broken.
func withoutImages(text template.HTML) template.HTML {
	if !strings.Contains(string(text), "<img") {
		return text
	}
	var out strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(string(text))); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return Sanitised(out.String())
		}
		raw := string(tokens.Raw())
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			if tag := tokens.Token(); tag.DataAtom == atom.Img {
				raw = box(tag)
			}
		}
		out.WriteString(raw)
	}
}

// box is what stands in the place of an image.
func box(image html.Token) string {
	alt := ""
	for _, a := range image.Attr {
		if a.Key == "alt" {
			alt = strings.TrimSpace(a.Val)
		}
	}
	attributes := ` class="picture" role="img"`
	if alt == "" {
		attributes += ` lang="en" dir="ltr"`
	}
	alt = html.EscapeString(cmp.Or(alt, "An image without a text"))
	return "<span" + attributes + ` aria-label="` + alt + `">` + alt + "</span>"
}
