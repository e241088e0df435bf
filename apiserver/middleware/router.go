// Package middleware has what happens to every request to the facade: its id, metrics, spans, recovery from panics, and the
// headers of its answer.
package middleware

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// NewRouter returns the router with the middleware of every request. Nothing is guessed: there are no redirects to similar
// paths, no proxy is trusted, and a path without a route gets the same error body as every other error, unless noPage, which may be nil,
// answers it and returns true.
func NewRouter(log logr.Logger, registry prometheus.Registerer, noPage func(*gin.Context) bool) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.RedirectTrailingSlash = false
	r.HandleMethodNotAllowed = true
	r.ForwardedByClientIP = false
	notFound := func(c *gin.Context) {
		if noPage == nil || !noPage(c) {
			problem.NotFound("path").Write(c.Writer, log)
		}
	}
	r.Use(withRequestID, newMetrics(registry).observe, traced,
		Recover(log, func(c *gin.Context) { problem.Internal(problem.RequestID(c.Request.Context())).Write(c.Writer, log) }),
		drainBody, privateHeaders, plainPath(notFound), Conditional)
	r.NoRoute(notFound)
	r.NoMethod(func(c *gin.Context) {
		// The router has set Allow.
		problem.MethodNotAllowed(c.Request.Method).Write(c.Writer, log)
	})
	return r
}

// AnswerHEAD adds the method HEAD to every route of GET that the router has: the answer is that of GET, of which the server sends
// the headers alone (RFC 9110, section 9.3.2).
func AnswerHEAD(r *gin.Engine) {
	for _, route := range r.Routes() {
		if route.Method == http.MethodGet {
			r.HEAD(route.Path, route.HandlerFunc)
		}
	}
}

// privateHeaders keep answers out of caches, and browsers from guessing another type. The handlers of public files set their
// own.
func privateHeaders(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Next()
}
