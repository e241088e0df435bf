package middleware

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/google/uuid"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// RequestIDHeader carries the id of the request in every answer.
const RequestIDHeader = problem.RequestIDHeader

// withRequestID gives every request an id. The id that a client sends is kept if it is safe, so that one id follows a request
// through several systems.
func withRequestID(c *gin.Context) {
	id := c.GetHeader(RequestIDHeader)
	if !isSafeID(id) {
		id = uuid.NewString()
	}
	c.Request = c.Request.WithContext(problem.WithRequestID(c.Request.Context(), id))
	c.Header(RequestIDHeader, id)
	c.Next()
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	return problem.RequestID(ctx)
}

// isSafeID refuses characters that could break a log line or a header.
func isSafeID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

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
			log.Error(fmt.Errorf("panic: %v", cause), "answering a request failed", "requestID", c.Writer.Header().Get(RequestIDHeader),
				"method", c.Request.Method, "route", c.FullPath(), "stack", string(debug.Stack()))
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
