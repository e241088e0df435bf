package pages

import (
	"bytes"
	"crypto/rand"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

//go:embed templates
var files embed.FS

// Variables are the colours of all pages, light and dark, as custom properties of CSS.
//
//go:embed templates/variables.css
var Variables string

// readLayout reads the templates that all pages share, and the style.
func (f *Frame) readLayout() {
	f.layout = embedded.MustParse(template.New("").Funcs(template.FuncMap{
		"day":   func(t time.Time) string { return t.Format("2 January 2006") },
		"stamp": func(t time.Time) string { return t.Format(time.RFC3339) },
		"name":  DisplayName,
	}), files, "templates/*.html")
	f.style = template.CSS(Variables + embedded.MustText(files, "templates/style.css")) //nolint:gosec // the style is our own file
}

// Views are the templates of one package of pages.
type Views struct {
	frame     *Frame
	templates *template.Template
}

// Views parses the files *.html in the folders of some file systems. They may use what the layout defines: "head" and "foot",
// which take the whole page, "problem", which takes a text, and the functions day and stamp for a time, and name for a display
// name with its fallback.
func (f *Frame) Views(from ...fs.FS) *Views {
	t := template.Must(f.layout.Clone())
	for _, files := range from {
		t = embedded.MustParse(t, files, "*/*.html")
	}
	return &Views{f, t}
}

// page is the data that a template is executed with.
type page struct {
	Title, Nonce string
	Style        template.CSS
	// Body is the handler's part of the data.
	Body any
}

// Show answers with the page that a template makes of a body.
func (v *Views) Show(c *gin.Context, status int, name, title string, body any) {
	p := page{Title: title, Nonce: rand.Text(), Style: v.frame.style, Body: body}
	var text bytes.Buffer
	if err := v.templates.ExecuteTemplate(&text, name, p); err != nil {
		v.frame.log.Error(err, "making a page", "page", name)
		c.String(http.StatusInternalServerError, "The page could not be made.\n")
		return
	}
	c.Header("Content-Security-Policy", policy(p.Nonce))
	c.Data(status, "text/html; charset=utf-8", text.Bytes())
}

// Message answers with a page that says one thing.
func (f *Frame) Message(c *gin.Context, status int, title, text string) {
	f.own.Show(c, status, "message.html", title, text)
}

// ErrTooMany means that a person asks for more pages than the limit.
var ErrTooMany = errors.New("too many pages at once")

// Unavailable answers that the facade cannot serve the page at the moment. The reason goes to the log only.
func (f *Frame) Unavailable(c *gin.Context, err error) {
	if errors.Is(err, ErrTooMany) {
		c.Header("Retry-After", "5")
		f.Message(c, http.StatusTooManyRequests, "Too many pages at once", "Nothing has been done. Try again in a few seconds.")
		return
	}
	// A browser that has gone on to another page cancels what was read for this one.
	if c.Request.Context().Err() == nil {
		f.log.Error(err, "answering for a page", "path", c.Request.URL.Path)
	}
	c.Header("Retry-After", "5")
	f.Message(c, http.StatusServiceUnavailable, "Not available at the moment", "Nothing has been done. Try again in a few seconds.")
}
