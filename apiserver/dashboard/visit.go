package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// visit is a request for a page by somebody who is signed in.
type visit struct {
	dashboard *Dashboard
	request   *http.Request
	// url of the page, which live updates ask for at an address of their own.
	url    *url.URL
	params map[string]string
	person login.Person
	// workspaces that the person may open, and the one of the page; empty if the page has none.
	workspaces []string
	workspace  string
	settings   settings
	// formID is the id of the form that was sent: what may be done once with it is done under this id.
	formID string
	// ticket of the page's forms. It is sealed for the first one that asks for it.
	ticket string
	// counted are the numbers of articles that have been asked for, by workspace and site.
	counted map[[2]string]rest.ArticleCounts
	// shown are the uids of the rows that the page has, if it is made again for live updates.
	shown []string
}

func (v *visit) ctx() context.Context { return v.request.Context() }

// query returns a parameter of the page's address.
func (v *visit) query(name string) string { return v.url.Query().Get(name) }

// form returns a field of the form that was sent, with the line breaks of Go.
func (v *visit) form(name string) string {
	return strings.ReplaceAll(v.request.PostForm.Get(name), "\r\n", "\n")
}

// forms returns all values of a field of the form that was sent.
func (v *visit) forms(name string) []string { return v.request.PostForm[name] }

// param returns a parameter of the path.
func (v *visit) param(name string) string { return v.params[name] }

// may reports whether the person has a scope.
func (v *visit) may(s v1alpha1.Scope) bool { return v.person.May(s) }

func (v *visit) now() time.Time { return v.dashboard.clock.Now() }

// zone is the time zone in which the person wants to see times.
func (v *visit) zone() *time.Location { return location(v.settings.Zone) }

// path returns a path of the page's workspace.
func (v *visit) path(segments ...string) string { return workspacePath(v.workspace, segments...) }

func workspacePath(workspace string, segments ...string) string {
	var path strings.Builder
	path.Grow(128)
	path.WriteString(Root + "/w/" + url.PathEscape(workspace))
	for _, s := range segments {
		path.WriteByte('/')
		path.WriteString(url.PathEscape(s))
	}
	return path.String()
}

// here returns the path and the query of the page.
func (v *visit) here() string { return pathOf(v.url) }

// pathOf returns the path and the query of an address, the query in the form of url.Values.Encode.
func pathOf(u *url.URL) string {
	if query := u.Query().Encode(); query != "" {
		return u.EscapedPath() + "?" + query
	}
	return u.EscapedPath()
}
