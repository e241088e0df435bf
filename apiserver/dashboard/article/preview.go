package article

import (
	"crypto/rand"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// previewView is a text in a document of its own.
type previewView struct {
	Nonce, Title string
	// Language of the text, a BCP 47 tag.
	Language string
	HTML     template.HTML
	// Image is the featured image; nil if there is none.
	Image *restarticle.Picture
	// ImagePath is the path of the file of the featured image; empty if none was fetched for the text.
	ImagePath string
	// HasImages says that the text has images that the browser would load from other hosts, and Images that it does: an image tells its
	// host that somebody reads.
	HasImages, Images bool
	// ImagesPath is the path of the document with these images.
	ImagesPath string
	// Scores of a text that is not stored; nil for one that is.
	Scores *restarticle.Scores
	Checks checks
	// Words of the body.
	Words int
	// Problem says what prevents a preview; empty if there is one.
	Problem []string
}

// showPreview answers with the text of an article, or of a revision that it names.
func showPreview(v *page.Visit) (*page.Answer, error) {
	a, err := getArticle(v)
	if err != nil {
		return nil, err
	}
	site, err := readSite(v, a.SiteUID)
	if err != nil {
		return nil, err
	}
	number := v.Query("revision")
	view := previewView{
		Images: v.Query("images") == "1", Language: site.Voice.Language, Title: a.Title, Image: a.Image,
		HTML:       sanitised(markClaims(a.ContentHTML, a.Claims)),
		ImagesPath: page.WithQuery(v.ArticlePath(v.Param("uid"), "preview"), "revision", number, "images", "1"),
	}
	if number != "" {
		r, err := readRevision(v, number)
		if err != nil {
			return nil, err
		}
		view.Title, view.HTML, view.Image = r.Title, sanitised(markClaims(r.ContentHTML, r.Claims)), r.Image
	}
	view.ImagePath = imagePath(v, view.Image, number)
	return showDocument(v, view), nil
}

// wordsPerMinute is how fast people read.
const wordsPerMinute = 230

// Minutes is how long the body takes to read.
func (p previewView) Minutes() int { return (p.Words + wordsPerMinute - 1) / wordsPerMinute }

// readRevision reads a revision of the article of the page.
func readRevision(v *page.Visit, number string) (restarticle.ArticleRevision, error) {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return restarticle.ArticleRevision{}, problem.NotFound("revision")
	}
	r, err := page.Call(v, restarticle.GetRevision, restarticle.OnRevision{OnArticle: v.OnArticle(), Number: n})
	return r.Body, err
}

// sanitised marks what the REST API has sanitised. The document that shows it runs no scripts.
func sanitised(html string) template.HTML {
	return template.HTML(html) //nolint:gosec // content_html is sanitised, and its document runs nothing
}

// documentPolicy is the Content-Security-Policy of a text: no scripts, no forms, and no images of other hosts unless they are asked for. It
// keeps its origin, so that the page can measure and scroll it: nothing in it can run. Its style has a nonce.
func documentPolicy(nonce string, images bool) string {
	from := "'self' data:"
	if images {
		from += " https: http:"
	}
	return "sandbox allow-same-origin; default-src 'none'; style-src 'nonce-" + nonce + "'; img-src " + from +
		"; frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
}

// showDocument answers with a document for a frame.
func showDocument(v *page.Visit, view previewView) *page.Answer {
	view.Nonce = rand.Text()
	view.HasImages = view.Image != nil && view.ImagePath == "" || strings.Contains(string(view.HTML), "<img")
	a := v.Page("preview.html", view.Title, view)
	a.Bare, a.Header = true, http.Header{
		"Content-Security-Policy": {documentPolicy(view.Nonce, view.Images)}, "X-Frame-Options": {"SAMEORIGIN"},
	}
	return a
}
