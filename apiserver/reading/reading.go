// Package reading shows the text of an article in a document of its own, in which nothing runs: the preview of the dashboard, and what a
// share link opens.
package reading

import (
	"cmp"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
	"strings"

	"golang.org/x/text/language"

	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// Templates defines "reading-head", the end of the element head, and "reading-text", for a body that has or embeds a Text. They need
// the functions of Funcs.
//
//go:embed *.html
var Templates embed.FS

// Funcs are what Templates need.
var Funcs = template.FuncMap{"lang": Language, "dir": Direction}

// Text is a text that a person reads.
type Text struct {
	// Nonce of the style; Complete makes it.
	Nonce string
	Title string
	// Language of the text, a BCP 47 tag.
	Language string
	HTML     template.HTML
	// Image is the featured image; nil if there is none.
	Image *article.Picture
	// ImagePath is the path of the file of the featured image; empty if it is loaded from its host.
	ImagePath string
	// HasImages says that the text has images that the browser would load from other hosts, and Images that it does: an image tells its
	// host that somebody reads. Complete sets HasImages.
	HasImages, Images bool
	// ImagesPath is the path of the document with these images.
	ImagesPath string
}

// Sanitised marks what the REST API has sanitised.
func Sanitised(html string) template.HTML {
	return template.HTML(html) //nolint:gosec // content_html is sanitised, and its document runs nothing
}

// Complete makes the nonce, finds out whether the text has images of other hosts, and returns the header of its document.
func (t *Text) Complete(in Frame) http.Header {
	t.Nonce = rand.Text()
	t.HasImages = t.Image != nil && t.ImagePath == "" || strings.Contains(string(t.HTML), "<img")
	if !t.Images {
		t.HTML = withoutImages(t.HTML)
	}
	return http.Header{
		"Content-Security-Policy": {policy(t.Nonce, t.Images, in)}, "X-Frame-Options": {in.options},
	}
}

// Frame says where a document may be shown.
type Frame struct{ sandbox, ancestors, options string }

var (
	// InPage is a document in a frame of a page of the facade. It keeps its origin, so that the page can measure and scroll it: nothing in
	// it can run.
	InPage = Frame{"sandbox allow-same-origin", "'self'", "SAMEORIGIN"}
	// Alone is a document in no frame.
	Alone = Frame{"sandbox", "'none'", "DENY"}
)

// policy is the Content-Security-Policy of a text: no scripts, no forms, and no images of other hosts unless they are asked for. Its style
// has a nonce.
func policy(nonce string, images bool, in Frame) string {
	from := "'self' data:"
	if images {
		from += " https: http:"
	}
	return in.sandbox + "; default-src 'none'; style-src 'nonce-" + nonce + "'; img-src " + from + "; frame-ancestors " + in.ancestors +
		"; form-action 'none'; base-uri 'none'"
}

// rightToLeft are the scripts that are written from right to left, by their ISO 15924 codes.
var rightToLeft = map[string]bool{"Arab": true, "Hebr": true, "Syrc": true, "Thaa": true, "Nkoo": true, "Adlm": true, "Rohg": true}

// Language returns the attribute lang of a text in a language, which is a BCP 47 tag; English if it is empty.
func Language(tag string) string { return language.Make(cmp.Or(tag, "en")).String() }

// Direction returns the attribute dir of a text in a language, which is a BCP 47 tag.
func Direction(tag string) string {
	script, _ := language.Make(cmp.Or(tag, "en")).Script()
	if rightToLeft[script.String()] {
		return "rtl"
	}
	return "ltr"
}
