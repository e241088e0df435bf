package rest

import (
	"io"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"

	"github.com/pressroom-dev/pressroom/apiserver/recovery"
)

// newRouter makes the router with what holds for every request. Nothing is guessed: no redirects to similar paths, no
// proxy is trusted, and what has no route gets the same error body as everything else.
func newRouter(log logr.Logger, m *Metrics) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.RedirectTrailingSlash = false
	r.HandleMethodNotAllowed = true
	r.ForwardedByClientIP = false
	r.Use(withRequestID, m.observe, traced,
		recovery.Handler(log, func(c *gin.Context) { answer(c, log, internal(requestID(c.Request.Context()))) }), drained, private)
	r.NoRoute(func(c *gin.Context) {
		answer(c, log, notFound("path"))
	})
	r.NoMethod(func(c *gin.Context) {
		// The router has set Allow.
		answer(c, log, failure(http.StatusMethodNotAllowed, CodeNotFound, "the path does not know the method "+c.Request.Method))
	})
	return r
}

// answer sends a failure where no operation has been reached.
func answer(c *gin.Context, log logr.Logger, f *APIError) {
	if err := f.write(c.Writer); err != nil {
		log.V(1).Info("the client went away before the answer", "error", err.Error())
	}
}

// private keeps answers out of caches and from being taken for something else. The pages, which are for everybody, say
// otherwise themselves.
func private(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Next()
}

// drainLimit bounds what is read of a body after the request has been refused, in bytes.
const drainLimit = 8 << 20

// drained reads the rest of a body when the request has been refused before it was read, so that a client that sends first
// and reads later sees the answer instead of a broken connection. The server's deadlines for reading hold.
func drained(c *gin.Context) {
	body := c.Request.Body
	if body == nil {
		c.Next()
		return
	}
	c.Request.Body = io.NopCloser(body)
	c.Next()
	if c.Writer.Status() >= http.StatusBadRequest {
		// The answer is written; whether the rest arrives changes nothing.
		_, _ = io.CopyN(io.Discard, body, drainLimit)
	}
}
