// Package rest assembles the REST API: its router, and its OpenAPI document.
//
// The operations are in a package for each resource. Each is a variable beside its handler, an operation.Operation, with Go structs for its
// input and its output, from which huma makes the validation, the errors and the OpenAPI 3.1 document. A function Register, which this
// package calls, gives the operations of a package their handlers. What a package needs of the rest of the program, beyond operation.Deps,
// is declared in its own Deps. Pages call an operation by its variable, with operation.Local.
//
//	rest -> review, share, generation, delivery -> article -> deliveryrecord -> operation -> middleware, problem, jsonbody, index, auth
//
// What the operations of several packages need is in a package below them, such as article and deliveryrecord.
//
// The error body is package problem, and what happens to every request is package middleware.
package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/brief"
	"github.com/pressroom-dev/pressroom/apiserver/rest/delivery"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/apiserver/rest/eventsubscription"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/key"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
	"github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/apiserver/web"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// New returns the handler of the REST API, of its OpenAPI document and of its reference page.
func New(d Deps) http.Handler {
	_, router, core := operations(d)
	web.Mount(router, document.JSON, cmp.Or(d.Home, web.PagePath))
	refuseOtherMethods(router, d.Log)
	middleware.AnswerHEAD(router)
	if d.Local != nil {
		d.Local.Connect(router, core)
	}
	// The pages and the endpoints of OAuth choose their own methods.
	for _, mount := range d.Mounts {
		mount(router)
	}
	return router
}

// Operations returns what the code says in the OpenAPI document, as indented JSON. An overlay completes it.
func Operations() ([]byte, error) {
	api, _, _ := operations(Deps{
		Registry: prometheus.NewRegistry(), Deps: operation.Deps{Clock: clock.RealClock{}, Log: logr.Discard()},
	})
	text, err := json.MarshalIndent(api.OpenAPI(), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the operations: %w", err)
	}
	return text, nil
}

// words are paths that would name an article in other methods, with the methods that they have.
var words = map[string][]string{
	"/v1/api/blogs/bulk":   {http.MethodPost},
	"/v1/api/blogs/counts": {http.MethodGet, http.MethodHead},
}

// refuseOtherMethods refuses the methods that a word does not have, as the router does for other paths.
func refuseOtherMethods(router *gin.Engine, log logr.Logger) {
	for path, allowed := range words {
		for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
			if slices.Contains(allowed, method) {
				continue
			}
			router.Handle(method, path, func(c *gin.Context) {
				c.Header("Allow", strings.Join(allowed, ", "))
				problem.MethodNotAllowed(method).Write(c.Writer, log)
			})
		}
	}
}

// operations returns every operation, on a router.
func operations(d Deps) (huma.API, *gin.Engine, *operation.Core) {
	problem.SetFrameworkErrors()
	router := middleware.NewRouter(d.Log, d.Registry, d.NoPage)
	api := humagin.New(router, config())
	core := operation.New(d.Deps, api)
	articles := article.New(core, d.Ledger)
	articles.Register()
	articlelist.Register(core)
	review.Register(articles)
	delivery.Register(articles)
	share.Register(articles, d.Share)
	generation.Register(articles, d.Ledger, d.Registry)
	account.Register(core)
	site.Register(core)
	brief.Register(core)
	eventsubscription.Register(core)
	oauthclient.Register(core, d.OAuth)
	key.Register(core, d.Cell)
	allowNullObjects(api.OpenAPI().Components.Schemas)
	return api, router, core
}

// Deps are the dependencies of the REST API.
type Deps struct {
	operation.Deps

	Ledger generation.Ledger
	// Cell is the code of the installation, with which the ids of keys and clients begin.
	Cell credential.Cell
	// Registry takes the metrics.
	Registry prometheus.Registerer
	// OAuth are the dependencies of the operations on OAuth clients.
	OAuth oauthclient.Deps
	// Share is what share links need of the pages; the zero value if there are none.
	Share share.Deps
	// Local is connected to the operations, for pages that call them. It may be nil.
	Local *operation.Local
	// Home is the path that / leads to; the reference page if it is empty.
	Home string
	// NoPage answers a request for a page that does not exist, and returns whether it has. It may be nil.
	NoPage func(*gin.Context) bool
	// Mounts add routes that are not operations of the REST API, such as the token endpoint and the pages.
	Mounts []func(gin.IRouter)
}
