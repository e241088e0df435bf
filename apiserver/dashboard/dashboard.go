// Package dashboard has the pages on which people review, publish and run a workspace (docs/reference/contract.md, Article states).
//
// The pages are a client of the REST API in the same process: each reads and changes by its operations, as the person who is signed in,
// and holds no client of Kubernetes. They work without scripts, which add live updates, a preview while typing, and shortcuts.
//
// Each area is a package that has its routes, handlers and templates. Package page has what they share. This package serves them, with the
// files that they load and the streams of live updates.
package dashboard

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/klauspost/compress/gzhttp"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/account"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/articles"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/briefs"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/calendar"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/deliveries"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/eventsubscriptions"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/keys"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/oauthclients"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/sites"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Root is the path of the dashboard. All its other paths are below.
const Root = page.Root

// timeout bounds a page.
const timeout = 35 * time.Second

// People finds out who uses the pages.
type People interface {
	Require(c *gin.Context, path string, p login.Prompt) (login.Person, bool)
	Person(c *gin.Context) (login.Person, error)
	Background(c *gin.Context) (login.Person, error)
}

// Options configure a Dashboard.
type Options struct {
	Frame *pages.Frame
	Login People
	// API is what the pages read and change with.
	API *operation.Local
	// Watch returns a channel that receives after changes of a workspace, and a function that ends it.
	Watch func(workspace string) (changed <-chan struct{}, stop func())
	// Ending is closed when the replica drains.
	Ending <-chan struct{}
	// Images fetches the files of featured images.
	Images Images
	Clock  clock.Clock
	Log    logr.Logger
}

// Images fetches the files of featured images. A file that cannot be fetched is a *featuredimage.Error.
type Images interface {
	// Read returns the file of an image if it is the one that a revision has.
	Read(ctx context.Context, image v1alpha1.RevisionImage) ([]byte, error)
}

// Dashboard are the handlers of the pages. Its methods may be called from any goroutine.
type Dashboard struct {
	Options

	deps     *page.Deps
	streams  *middleware.Budget
	images   *imageShares
	static   map[string]staticFile
	compress func(http.Handler) http.HandlerFunc
	routes   []route
}

// route is one of an area, with the templates of that.
type route struct {
	page.Route

	templates *template.Template
}

func areas() []page.Area {
	return []page.Area{
		account.Area(), articles.Area(), article.Area(), briefs.Area(), calendar.Area(), sites.Area(), deliveries.Area(),
		eventsubscriptions.Area(), keys.Area(), oauthclients.Area(),
	}
}

// New returns a Dashboard.
func New(o Options) (*Dashboard, error) {
	d := &Dashboard{Options: o, streams: newStreams(), images: newImageShares(o.Clock), static: readStatic()}
	for _, area := range areas() {
		templates := page.Parse(area.Templates)
		for _, r := range area.Routes {
			d.routes = append(d.routes, route{r, templates})
		}
	}
	var err error
	if d.compress, err = gzhttp.NewWrapper(); err != nil {
		return nil, err
	}
	d.deps = &page.Deps{
		Frame: o.Frame, API: o.API, Clock: o.Clock, Log: o.Log,
		Style: d.static[styleName].path, Script: d.static[scriptName].path, CodeMirror: d.static[codeMirrorName].path,
	}
	return d, nil
}

// Mount serves the pages on a router.
func (d *Dashboard) Mount(r gin.IRouter) {
	for _, one := range d.routes {
		b := pages.Bounds{Form: one.MaxForm, Timeout: timeout, Admit: func(c *gin.Context) bool { return d.admit(c, one) }}
		d.Frame.Bounded(r, b).Handle(one.Method, page.Root+one.Path, func(c *gin.Context) { d.serve(c, one) })
	}
	for _, one := range d.routes {
		if to := d.pageOf(one.Route); to != "" {
			d.Frame.Bounded(r, pages.Bounds{Timeout: timeout}).GET(page.Root+one.Path, func(c *gin.Context) {
				pages.Redirect(c, withParams(c, page.Root+to)+one.PageQuery)
			})
		}
	}
	d.Frame.Bounded(r, pages.Bounds{Timeout: timeout}).GET(page.Root+staticPath, d.serveStatic)
	d.Frame.Bounded(r, pages.Bounds{Timeout: timeout}).GET(page.Root+imagePath, d.serveImage)
	d.Frame.Bounded(r, pages.Bounds{}).GET(page.Root+livePath, d.serveLive)
}

// pageOf returns the path of the page that has a form, which is the nearest one above it. It is empty for a page, and for a form whose
// address is that of a page. A browser asks for the address of a form when somebody opens it again, or sends it to somebody else.
func (d *Dashboard) pageOf(r page.Route) string {
	isPage := func(path string) bool {
		return slices.ContainsFunc(d.routes, func(one route) bool { return one.Method == http.MethodGet && one.Path == path })
	}
	if isPage(r.Path) {
		return ""
	}
	to := r.Path
	for to != "" && !isPage(to) {
		to = to[:strings.LastIndex(to, "/")]
	}
	return to
}

// withParams returns the path of a route with the parameters of a request.
func withParams(c *gin.Context, path string) string {
	for _, p := range c.Params {
		path = strings.Replace(path, ":"+p.Key, url.PathEscape(p.Value), 1)
	}
	return path
}
