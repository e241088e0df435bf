package consent

import (
	"bytes"
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

//go:embed templates
var files embed.FS

// views are the templates of the pages.
type views struct {
	templates *template.Template
	style     template.CSS
}

func newViews() (*views, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"day":   func(t time.Time) string { return t.Format("2 January 2006") },
		"stamp": func(t time.Time) string { return t.Format(time.RFC3339) },
	}).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the pages' templates: %w", err)
	}
	style, err := files.ReadFile("templates/style.css")
	if err != nil {
		return nil, fmt.Errorf("reading the pages' style: %w", err)
	}
	return &views{templates: t, style: template.CSS(style)}, nil //nolint:gosec // the style is our own file
}

// view is what every page has, with what it shows.
type view struct {
	Title, Nonce string
	Style        template.CSS
	Body         any
}

// show answers with a page.
func (p *Pages) show(c *gin.Context, status int, name, title string, body any) {
	v := view{Title: title, Nonce: rand.Text(), Style: p.views.style, Body: body}
	var page bytes.Buffer
	if err := p.views.templates.ExecuteTemplate(&page, name, v); err != nil {
		p.Log.Error(err, "making a page", "page", name)
		c.String(http.StatusInternalServerError, "The page could not be made.\n")
		return
	}
	c.Header("Content-Security-Policy", policy(v.Nonce))
	c.Data(status, "text/html; charset=utf-8", page.Bytes())
}

// messageView is a page that says one thing.
type messageView struct{ Text string }

func (p *Pages) message(c *gin.Context, status int, title, text string) {
	p.show(c, status, "message.html", title, messageView{text})
}

// unavailable says that something of ours does not work. Why is for the log.
func (p *Pages) unavailable(c *gin.Context, err error) {
	p.Log.Error(err, "answering for a page", "path", c.Request.URL.Path)
	c.Header("Retry-After", "5")
	p.message(c, http.StatusServiceUnavailable, "Not available at the moment", "Nothing has been done. Try again in a few seconds.")
}
