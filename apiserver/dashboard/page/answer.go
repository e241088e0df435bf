package page

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// Answer is what a handler answers with: a page, a redirect, or a document of its own.
type Answer struct {
	Status int
	// Template and title of a page, and the data that it is made of.
	Template, title string
	Body            any
	// Location is the path that a redirect leads to, and notice what is shown there once.
	Location string
	Notice   pages.Notice
	// Header is added to that of the answer.
	Header http.Header
	// Bare means that the template is made of the body alone: it is a document of its own.
	Bare bool
	// Cookies sets what the browser keeps.
	Cookies func(http.ResponseWriter) error
}

// Page answers with a page that a template makes of a body.
func (v *Visit) Page(template, title string, body any) *Answer {
	return &Answer{Status: http.StatusOK, Template: template, title: title, Body: body}
}

// With is the answer with another status.
func (a *Answer) With(status int) *Answer {
	a.Status = status
	return a
}

// Redirect leads to a page by GET, which says once what has been done.
func (v *Visit) Redirect(path, done string) *Answer {
	return &Answer{Location: path, Notice: pages.Notice{Session: v.Person.SessionID, Done: done}}
}

// RedirectProblem leads to a page by GET, which says once what is wrong.
func (v *Visit) RedirectProblem(path, problem string) *Answer {
	return &Answer{Location: path, Notice: pages.Notice{Session: v.Person.SessionID, Problem: problem}}
}
