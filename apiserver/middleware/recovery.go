package middleware

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Recover returns the middleware that calls refuse if a handler after it panics. The panic is logged with its stack, which a
// client never sees.
func Recover(log logr.Logger, refuse gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(cause) //nolint:forbidigo // the server's own way to break a connection
			}
			log.Error(fmt.Errorf("panic: %v", cause), "answering a request failed",
				"requestID", c.Writer.Header().Get(problem.RequestIDHeader), "method", c.Request.Method, "route", c.FullPath(),
				"stack", string(debug.Stack()))
			if c.Writer.Written() {
				// Part of an answer has been sent: only a broken connection says that it is incomplete.
				panic(http.ErrAbortHandler) //nolint:forbidigo // the server's own way to break a connection
			}
			c.Abort()
			refuse(c)
		}()
		c.Next()
	}
}
