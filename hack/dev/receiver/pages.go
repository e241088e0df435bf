package receiver

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

//go:embed pages.html
var source string

var pages = template.Must(template.New("pages").Parse(source))

// contentSecurityPolicy lets a page run nothing and load only pictures: its content comes from outside.
const contentSecurityPolicy = "default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// article is the data of a post's page, except its text.
type article struct {
	Post

	Title string
}

func (r *Receiver) page(w http.ResponseWriter, request *http.Request) {
	post, ok := r.Store.Get(request.PathValue("slug"))
	if !ok {
		http.NotFound(w, request)
		return
	}
	body, err := safeBody(post.Payload)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	view := article{Post: r.located(post), Title: post.Payload.Title}
	if post.Payload.MetaTitle != "" {
		view.Title = post.Payload.MetaTitle
	}
	var page bytes.Buffer
	err = pages.ExecuteTemplate(&page, "above", view)
	page.Write(body)
	send(w, &page, errors.Join(err, pages.ExecuteTemplate(&page, "below", view)))
}

func (r *Receiver) index(w http.ResponseWriter, _ *http.Request) {
	var page bytes.Buffer
	send(w, &page, pages.ExecuteTemplate(&page, "index", struct {
		Posts      []Post
		Deliveries []Delivery
	}{r.posts(), r.lastDeliveries()}))
}

// safeBody returns the HTML of a post without anything that a browser runs: a verified sender is trusted with the text only.
func safeBody(p Payload) ([]byte, error) {
	html := p.Content
	switch p.ContentFormat {
	case "json":
		html = p.ContentHTML
	case "markdown":
		var b bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(p.Content), &b); err != nil {
			return nil, fmt.Errorf("rendering Markdown: %w", err)
		}
		html = b.String()
	}
	return bluemonday.UGCPolicy().SanitizeBytes([]byte(html)), nil
}

func send(w http.ResponseWriter, page *bytes.Buffer, err error) {
	if err != nil {
		http.Error(w, fmt.Sprintf("rendering the page: %v", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", contentSecurityPolicy)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	// The reader may have closed the connection.
	_, _ = w.Write(page.Bytes())
}
