// Package dashboard has the pages on which people review, publish and run a workspace (contract, sections 1, 3 and 4).
//
// The pages are a client of the REST API in the same process: each reads and changes by its operations, as the person who is signed in,
// and holds no client of Kubernetes. They work without scripts, which add live updates, a preview while typing, and shortcuts.
//
// A page is a handler, a struct with what it shows, and a template. The file of an area declares its routes; routes.go lists the areas.
package dashboard

import (
	"html/template"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/klauspost/compress/gzhttp"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// Root is the path of the dashboard. All its other paths are below.
const Root = "/app"

// The bounds of a page, and of a form with an article's text, each character of which may take three in a form.
const (
	maxForm = 1 << 20
	timeout = 35 * time.Second
)

// People finds out who uses the pages.
type People interface {
	Require(c *gin.Context, path string, p login.Prompt) (login.Person, bool)
	Person(c *gin.Context) (login.Person, error)
}

// Options configure a Dashboard.
type Options struct {
	Frame *pages.Frame
	Login People
	// API is what the pages read and change with.
	API *rest.Local
	// Watch returns a channel that receives after changes of a workspace, and a function that ends it.
	Watch func(workspace string) (changed <-chan struct{}, stop func())
	// Ending is closed when the replica drains.
	Ending <-chan struct{}
	Clock  clock.Clock
	Log    logr.Logger
}

// Dashboard are the handlers of the pages. Its methods may be called from any goroutine.
type Dashboard struct {
	frame     *pages.Frame
	login     People
	api       *rest.Local
	clock     clock.Clock
	watch     func(workspace string) (<-chan struct{}, func())
	ending    <-chan struct{}
	streams   streams
	log       logr.Logger
	templates *template.Template
	static    static
	compress  func(http.Handler) http.HandlerFunc
	routes    []route
	// fragments keeps parts of pages, by the hashes of their views.
	fragments *lru.Cache
}

// New returns a Dashboard.
func New(o Options) (*Dashboard, error) {
	d := &Dashboard{
		frame: o.Frame, login: o.Login, api: o.API, clock: o.Clock, watch: o.Watch, ending: o.Ending, log: o.Log, routes: allRoutes(),
		fragments: lru.New(fragmentsKept),
	}
	var err error
	if d.templates, err = readTemplates(); err != nil {
		return nil, err
	}
	if d.static, err = readStatic(); err != nil {
		return nil, err
	}
	if d.compress, err = gzhttp.NewWrapper(); err != nil {
		return nil, err
	}
	return d, nil
}

// Mount serves the pages on a router.
func (d *Dashboard) Mount(r gin.IRouter) {
	g := d.frame.Bounded(r, pages.Bounds{Form: maxForm, Timeout: timeout})
	for _, one := range d.routes {
		g.Handle(one.method, Root+one.path, func(c *gin.Context) { d.serve(c, one) })
	}
	g.GET(Root+staticPath, d.serveStatic)
	d.frame.Bounded(r, pages.Bounds{Form: maxForm}).GET(Root+livePath, d.serveLive)
}

// visit returns the visit of a person; the workspace of the path is none if it is not open to them.
func (d *Dashboard) visit(q *http.Request, params map[string]string, p login.Person) (*visit, error) {
	v := &visit{dashboard: d, request: q, url: q.URL, params: params, person: p, settings: d.settings(q)}
	who, err := call[rest.Whoami](v, rest.Request{Operation: "whoami"})
	if err != nil {
		return nil, err
	}
	v.workspaces = who.Workspaces
	if slices.Contains(who.Workspaces, params["workspace"]) {
		v.workspace = params["workspace"]
	}
	return v, nil
}
