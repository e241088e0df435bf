package dashboard

import (
	"bytes"
	"crypto/rand"
	"html/template"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// previewView is a text in a document of its own.
type previewView struct {
	Nonce, Title string
	HTML         template.HTML
	// HasImages says that the text has images of other hosts, and Images that they are shown: an image tells its host that somebody reads.
	HasImages, Images bool
	// ImagesPath is the path of the document with images.
	ImagesPath string
	// Scores of a text that is not stored; nil for one that is.
	Scores *rest.Scores
	Checks checks
	// Problem is why there is no text to show.
	Problem []string
}

// showPreview answers with the text of an article, or of a revision that it names.
func showPreview(v *visit) (*answer, error) {
	view := previewView{Images: v.query("images") == "1"}
	if number := v.query("revision"); number != "" {
		r, err := v.revision(number)
		if err != nil {
			return nil, err
		}
		view.Title, view.HTML = r.Title, sanitised(r.ContentHTML)
		view.ImagesPath = withQuery(v.articlePath(v.param("uid"), "preview"), "revision", number, "images", "1")
	} else {
		a, err := onArticle[rest.Article](v, "get-article", nil)
		if err != nil {
			return nil, err
		}
		view.Title, view.HTML = a.Title, sanitised(a.ContentHTML)
		view.ImagesPath = withQuery(v.articlePath(v.param("uid"), "preview"), "images", "1")
	}
	return v.document(view), nil
}

// revision reads a revision of the article of the page.
func (v *visit) revision(number string) (rest.Revision, error) {
	return call[rest.Revision](v, rest.Request{
		Operation: "get-revision", Path: map[string]string{"uid": v.param("uid"), "number": number},
	})
}

// sanitised marks what the REST API has sanitised. The document that shows it runs no scripts and belongs to no origin.
func sanitised(html string) template.HTML {
	return template.HTML(html) //nolint:gosec // content_html is sanitised, and its document is sandboxed
}

// documentPolicy is the Content-Security-Policy of a text: no scripts, no forms, no origin, and no images of other hosts unless they are
// asked for. Its style has a nonce, because a document without an origin cannot load the style sheet of the pages.
func documentPolicy(nonce string, images bool) string {
	from := "'self' data:"
	if images {
		from += " https: http:"
	}
	return "sandbox; default-src 'none'; style-src 'nonce-" + nonce + "'; img-src " + from +
		"; frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
}

// document answers with a document for a frame.
func (v *visit) document(view previewView) *answer {
	view.Nonce = rand.Text()
	view.HasImages = strings.Contains(string(view.HTML), "<img")
	return &answer{write: func(c *gin.Context) {
		var text bytes.Buffer
		if err := v.dashboard.templates.ExecuteTemplate(&text, "preview.html", view); err != nil {
			v.dashboard.frame.Unavailable(c, err)
			return
		}
		h := c.Writer.Header()
		h.Set("Content-Security-Policy", documentPolicy(view.Nonce, view.Images))
		h.Set("X-Frame-Options", "SAMEORIGIN")
		h.Set("Content-Type", "text/html; charset=utf-8")
		c.Writer.WriteHeader(http.StatusOK)
		_, _ = c.Writer.Write(text.Bytes())
	}}
}
