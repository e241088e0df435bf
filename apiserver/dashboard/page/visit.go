package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Visit is a request for a page by a signed-in person.
type Visit struct {
	Deps    *Deps
	request *http.Request
	url     *url.URL
	Params  map[string]string
	Person  login.Person
	// Workspace of the page; empty if the page has none.
	Workspace string
	Settings  Settings
	// Zone is the time zone in which the person wants to see times.
	Zone *time.Location
	// FormID is the id of the form that was sent: what may be done once with it is done under this id.
	FormID string
	// ticket of the page's forms. It is sealed for the first one that asks for it.
	ticket string
	// counts that have been read.
	counts map[counted]Counts
	// Shown are the uids of the articles whose rows the page has, if it fetches itself.
	Shown []string
}

// NewVisit returns the visit of a person; the workspace of the path is none if it is not open to them.
func NewVisit(a *Deps, q *http.Request, params map[string]string, p login.Person) *Visit {
	v := NewSignedOutVisit(a, q)
	v.Params, v.Person = params, p
	if v.Updates() {
		// At most as many rows as two pages of the list have.
		uids := strings.Fields(q.Header.Get(headerUpdate))
		v.Shown = uids[:min(len(uids), 2*ListLimit)]
	}
	if slices.Contains(p.Opens, params["workspace"]) {
		v.Workspace = params["workspace"]
	}
	return v
}

// NewSignedOutVisit returns the visit of a person who is not signed in.
func NewSignedOutVisit(a *Deps, q *http.Request) *Visit {
	v := &Visit{Deps: a, request: q, url: q.URL, Settings: a.settings(q), Zone: time.UTC, counts: map[counted]Counts{}}
	if zone, ok := ZoneNamed(v.Settings.Zone); ok {
		v.Zone = zone
	}
	return v
}

// Ctx is the context of the request.
func (v *Visit) Ctx() context.Context { return v.request.Context() }

// Query returns a parameter of the page's address.
func (v *Visit) Query(name string) string { return v.url.Query().Get(name) }

// Param returns a parameter of the path.
func (v *Visit) Param(name string) string { return v.Params[name] }

// May reports whether the person has a scope.
func (v *Visit) May(s v1alpha1.Scope) bool { return v.Person.May(s) }

// Now is the time of the facade.
func (v *Visit) Now() time.Time { return v.Deps.Clock.Now() }

// Path returns a path of the page's workspace.
func (v *Visit) Path(segments ...string) string { return WorkspacePath(v.Workspace, segments...) }

// WorkspacePath returns a path of a workspace.
func WorkspacePath(workspace string, segments ...string) string {
	var path strings.Builder
	path.Grow(128)
	path.WriteString(Root + "/w/" + url.PathEscape(workspace))
	for _, s := range segments {
		path.WriteByte('/')
		path.WriteString(url.PathEscape(s))
	}
	return path.String()
}

// Here returns the path and the query of the page.
func (v *Visit) Here() string { return PathOf(v.url) }

// PathOf returns the path and the query of an address, the query in the form of url.Values.Encode.
func PathOf(u *url.URL) string {
	if query := u.Query().Encode(); query != "" {
		return u.EscapedPath() + "?" + query
	}
	return u.EscapedPath()
}

// ArticlePath is a path of an article, such as that of its changes.
func (v *Visit) ArticlePath(uid string, more ...string) string {
	return v.Path(append([]string{"articles", uid}, more...)...)
}

// Parameters returns the parameters of a query from pairs of names and values. Empty values are left out.
func Parameters(pairs ...string) url.Values {
	values := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			values.Set(pair[0], pair[1])
		}
	}
	return values
}

// WithQuery returns a path with parameters. Empty ones are left out.
func WithQuery(path string, pairs ...string) string {
	return path + "?" + Parameters(pairs...).Encode()
}

// headerUpdate is in the request of a page that fetches itself. Its value lists the uids of the articles whose rows the page has.
const headerUpdate = "Pressroom-Update"

// IsUpdate reports whether a page fetches itself.
func IsUpdate(q *http.Request) bool {
	return q.Method == http.MethodGet && len(q.Header[headerUpdate]) > 0
}

// Updates reports whether the page fetches itself.
func (v *Visit) Updates() bool { return IsUpdate(v.request) }

// Stays reports whether the page stays when its form has been sent: the script of the editor sends it.
func (v *Visit) Stays() bool { return v.request.Header.Get("Pressroom-Save") != "" }

// Call calls an operation of the REST API as the person who is signed in, in the workspace of the page unless the input names one. The
// error of a call that was refused is a *problem.APIError.
func Call[I, O any](v *Visit, op operation.Operation[I, O], in I) (O, error) {
	if scoped, ok := any(&in).(interface{ Enter(workspace string) }); ok {
		scoped.Enter(v.Workspace)
	}
	return op.Call(v.Ctx(), v.Deps.API, v.Person.Principal(), in)
}

// Refusal returns why a call was refused, if it was.
func Refusal(err error) (*problem.APIError, bool) {
	var refused *problem.APIError
	ok := errors.As(err, &refused)
	return refused, ok
}

// IsRefused reports whether an operation that has failed is certain to have done nothing.
func IsRefused(err error) bool {
	refused, ok := Refusal(err)
	return ok && refused.GetStatus() < http.StatusInternalServerError
}

// IsStatus reports whether a call was refused with a status.
func IsStatus(err error, status int) bool {
	refused, ok := Refusal(err)
	return ok && refused.GetStatus() == status
}

// FieldProblems returns what is wrong with the fields of a form, by their names in the REST API.
func FieldProblems(err error) map[string]string {
	refused, ok := Refusal(err)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for _, d := range refused.Problem.Details {
		out[d.Field] = Plainly(d.Message)
	}
	return out
}

// OnArticle names the article of the page.
func (v *Visit) OnArticle() restarticle.OnArticle { return restarticle.OnArticle{UID: v.Param("uid")} }
