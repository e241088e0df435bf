// Package page has what all areas of the dashboard share: a visit and its answer, routes, the frame of all pages, forms and their tickets,
// times, and words. It knows no area.
package page

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/reading"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// Route is a page, or a form that is sent.
type Route struct {
	Method string
	// Path below Root, in gin's form.
	Path string
	// Scope that a person must have; empty if any does.
	Scope v1alpha1.Scope
	// Operation is the id of the operation that a form sends; empty for pages, and for forms that only change what the browser keeps.
	Operation string
	Handle    Handler
	// MaxForm is how many bytes a form may have.
	MaxForm int64
	// PageQuery is the query that the page with the form has, beside the path above that of the form; empty for none.
	PageQuery string
}

// The sizes of forms, in bytes. Each character may take three in a form.
const (
	// usualForm is that of a form whose operation takes 64 KiB of JSON, with what its fields were shown with.
	usualForm = 256 << 10
	// textForm is that of a form with an article's text.
	textForm = 3 << 20
)

// Area is a part of the dashboard, such as the sites, with its routes and templates.
type Area struct {
	Routes []Route
	// Templates has the templates of its pages, which may use the templates of this package.
	Templates fs.FS
}

// Handler answers a visit. It reads only the visit and the REST API.
type Handler func(*Visit) (*Answer, error)

// AnyScope is the scope of pages that everybody may see.
const AnyScope v1alpha1.Scope = ""

// Show is the route of a page.
func Show(path string, scope v1alpha1.Scope, h Handler) Route {
	return Route{Method: http.MethodGet, Path: path, Scope: scope, Handle: h}
}

// Form is the route of a form that sends an operation.
func Form[I, O any](path string, op operation.Operation[I, O], h Handler) Route {
	r := LocalForm(path, op.Scope, h)
	r.Operation = op.ID
	if op.MaxBody > 0 {
		r.MaxForm = textForm
	}
	return r
}

// LocalForm is the route of a form that sends no operation.
func LocalForm(path string, scope v1alpha1.Scope, h Handler) Route {
	return Route{Method: http.MethodPost, Path: path, Scope: scope, Handle: h, MaxForm: usualForm}
}

// WithText is the route of a form that has a text.
func (r Route) WithText() Route {
	r.MaxForm = textForm
	return r
}

// From is the route of a form whose page needs a query, such as "?kind=write".
func (r Route) From(query string) Route {
	r.PageQuery = query
	return r
}

// For is the route for people with another scope than that of its operation.
func (r Route) For(scope v1alpha1.Scope) Route {
	r.Scope = scope
	return r
}

// Root is the path of the dashboard. All its other paths are below.
const Root = "/app"

// Deps are the dependencies of all pages.
type Deps struct {
	Frame *pages.Frame
	// API calls the operations of the REST API.
	API   *operation.Local
	Clock clock.PassiveClock
	Log   logr.Logger
	// Style and Script are the paths of the files that all pages load, and CodeMirror is that of the module that makes the field of a text,
	// which editors alone load.
	Style, Script, CodeMirror string
}

//go:embed *.html
var files embed.FS

// Parse returns the templates of an area, with those that all areas use.
func Parse(area fs.FS) *template.Template {
	t := embedded.MustParse(template.New("").Funcs(template.FuncMap{
		"name": pages.DisplayName, "word": StatusWord, "status": StatusMark, "event": EventWord, "who": who,
		"lower": strings.ToLower, "plural": Plural,
		"sentence": Sentence, "checkName": checkName, "scope": func(name string) string { return Words.Scopes[name] },
		"cms":        cmsLabel,
		"disclosure": func(name string) string { return Words.Disclosures[name] },
		"lines":      func(lines []string) string { return strings.Join(lines, "\n") },
	}).Funcs(reading.Funcs), files, "*.html")
	t = embedded.MustParse(t, reading.Templates, "*.html")
	return embedded.MustParse(t, area, "*.html")
}

// cmsLabel is the name of a type of CMS for people.
func cmsLabel(t restsite.CMSType) string {
	form, _ := connectors.FormOf(t)
	return form.Label
}

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
	// StyleNonce lets the script of the page add styles that have it; empty if it adds none.
	StyleNonce string
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

// WithStyles lets the script of the page add styles that have a nonce.
func (a *Answer) WithStyles(nonce string) *Answer {
	a.StyleNonce = nonce
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

// Done leads to a page by GET after an operation, which says once that it has been done. It returns the error of the operation.
func (v *Visit) Done(path, done string, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	return v.Redirect(path, done), nil
}

// Back is Done for an operation that may not be possible now: the page says why.
func (v *Visit) Back(path, done string, err error) (*Answer, error) {
	if IsStatus(err, http.StatusConflict) {
		return v.RedirectProblem(path, ProblemOf(err)), nil
	}
	return v.Done(path, done, err)
}
