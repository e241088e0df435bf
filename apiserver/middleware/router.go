package middleware

import (
	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// NewRouter returns the router with the middleware of every request. Nothing is guessed: there are no redirects to similar
// paths, no proxy is trusted, and a path without a route gets the same error body as every other error, unless noPage, which may be nil,
// answers it and returns true.
func NewRouter(log logr.Logger, registry prometheus.Registerer, noPage func(*gin.Context) bool) (*gin.Engine, error) {
	metrics, err := newMetrics(registry)
	if err != nil {
		return nil, err
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.RedirectTrailingSlash = false
	r.HandleMethodNotAllowed = true
	r.ForwardedByClientIP = false
	refuse := func(c *gin.Context, e *problem.APIError) {
		if err := e.Write(c.Writer); err != nil {
			log.V(1).Info("the client disconnected before the answer", "error", err.Error())
		}
	}
	r.Use(withRequestID, metrics.observe, traced,
		Recover(log, func(c *gin.Context) { refuse(c, problem.Internal(RequestID(c.Request.Context()))) }),
		drainBody, privateHeaders, Conditional)
	r.NoRoute(func(c *gin.Context) {
		if noPage == nil || !noPage(c) {
			refuse(c, problem.NotFound("path"))
		}
	})
	r.NoMethod(func(c *gin.Context) {
		// The router has set Allow.
		refuse(c, problem.MethodNotAllowed(c.Request.Method))
	})
	return r, nil
}
