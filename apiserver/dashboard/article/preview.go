package article

import (
	"strconv"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/reading"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// previewView is a text in a document of its own.
type previewView struct {
	reading.Text

	// Rated is the score of a text that is not stored; nil for one that is.
	Rated  *scoreView
	Checks checks
	// Claims are those that the brief does not support, for the script of the editor: a preview is not held against a brief.
	Claims []passage
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
	view := previewView{Text: reading.Text{
		Images: v.Query("images") == "1", Language: site.Voice.Language, Title: a.Title, Image: a.Image,
		HTML:       reading.Sanitised(markClaims(a.ContentHTML, a.Claims)),
		ImagesPath: page.WithQuery(v.ArticlePath(v.Param("uid"), "preview"), "revision", number, "images", "1"),
	}}
	if number != "" {
		r, err := readRevision(v, number)
		if err != nil {
			return nil, err
		}
		view.Title, view.HTML, view.Image = r.Title, reading.Sanitised(markClaims(r.ContentHTML, r.Claims)), r.Image
	} else if check := v.Query("mark"); check != "" {
		view.HTML = reading.Sanitised(markFindings(a.ContentHTML, located(v, a, check)))
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

// showDocument answers with a document for a frame.
func showDocument(v *page.Visit, view previewView) *page.Answer {
	header := view.Complete(reading.InPage)
	a := v.Page("preview.html", view.Title, view)
	a.Bare, a.Header = true, header
	return a
}
