package rest

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
)

// recovery answers a panic with INTERNAL and logs it with its stack, which a client never sees.
func recovery(log logr.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(cause) //nolint:forbidigo // the server's own way to break a connection
			}
			id := requestID(c.Request.Context())
			log.Error(fmt.Errorf("panic: %v", cause), "answering a request failed",
				"requestID", id, "method", c.Request.Method, "route", c.FullPath(), "stack", string(debug.Stack()))
			if c.Writer.Written() {
				// Part of an answer has gone out: only a broken connection says that it is not whole.
				panic(http.ErrAbortHandler) //nolint:forbidigo // the server's own way to break a connection
			}
			answer(c, log, internal(id))
		}()
		c.Next()
	}
}

// answer sends a failure where no operation has been reached, and ends the request.
func answer(c *gin.Context, log logr.Logger, f *APIError) {
	c.Abort()
	if err := f.write(c.Writer); err != nil {
		log.V(1).Info("the client went away before the answer", "error", err.Error())
	}
}
