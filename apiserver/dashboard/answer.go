package dashboard

import (
	"bytes"
	"maps"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// answer is what a handler answers with: a page, a redirect, or a document of its own.
type answer struct {
	status int
	// template and title of a page, and the data that it is made of.
	template, title string
	body            any
	// location is the path that a redirect leads to, and notice what is shown there once.
	location string
	notice   pages.Notice
	// header is added to that of the answer.
	header http.Header
	// write answers by itself, with its own Content-Security-Policy; everything else is empty then.
	write func(c *gin.Context)
	// cookies sets what the browser keeps.
	cookies func(http.ResponseWriter) error
}

// page answers with a page that a template makes of a body.
func (v *visit) page(template, title string, body any) *answer {
	return &answer{status: http.StatusOK, template: template, title: title, body: body}
}

// with is the answer with another status.
func (a *answer) with(status int) *answer {
	a.status = status
	return a
}

// redirect leads to a page by GET, which says once what has been done.
func (v *visit) redirect(path, done string) *answer {
	return &answer{location: path, notice: pages.Notice{Session: v.person.SessionID, Done: done}}
}

// redirectProblem leads to a page by GET, which says once what is wrong.
func (v *visit) redirectProblem(path, problem string) *answer {
	return &answer{location: path, notice: pages.Notice{Session: v.person.SessionID, Problem: problem}}
}

// policy is the Content-Security-Policy of the pages: everything comes from here, nothing runs that is not in our script, and HTML
// becomes part of a page through one policy of the script alone (Trusted Types).
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dashboard"

// send sends an answer.
func (d *Dashboard) send(c *gin.Context, v *visit, a *answer) {
	maps.Copy(c.Writer.Header(), a.header)
	if a.cookies != nil {
		if err := a.cookies(c.Writer); err != nil {
			d.frame.Unavailable(c, err)
			return
		}
	}
	switch {
	case a.write != nil:
		a.write(c)
	case a.location != "":
		if a.notice.Done != "" || a.notice.Problem != "" {
			d.frame.SendBack(c, a.location, a.notice)
			return
		}
		pages.Redirect(c, a.location)
	default:
		notice := d.frame.TakeNotice(c, v.here(), v.person.SessionID)
		err := d.withHTML(v, a, notice, func(text []byte) error {
			c.Header("Content-Security-Policy", policy)
			c.Header("Content-Type", "text/html; charset=utf-8")
			d.compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(a.status)
				_, _ = w.Write(text)
			}))(c.Writer, c.Request)
			return nil
		})
		if err != nil {
			d.frame.Unavailable(c, err)
		}
	}
}

// buffers are used again: growing one takes more memory than the rest of a page.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// withHTML calls a function with the page of an answer, which must not be used after that.
func (d *Dashboard) withHTML(v *visit, a *answer, n pages.Notice, use func(text []byte) error) error {
	return d.withTemplate(a.template, d.layout(v, a, n), use)
}

// withTemplate calls a function with what a template makes of data.
func (d *Dashboard) withTemplate(name string, data any, use func(text []byte) error) error {
	text, ok := buffers.Get().(*bytes.Buffer)
	if !ok {
		text = new(bytes.Buffer)
	}
	defer buffers.Put(text)
	text.Reset()
	if err := d.templates.ExecuteTemplate(text, name, data); err != nil {
		return err
	}
	return use(text.Bytes())
}
