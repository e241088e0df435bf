package middleware

import (
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// withRequestID gives every request an id. The id that a client sends is kept if it is safe, so that one id follows a request
// through several systems.
func withRequestID(c *gin.Context) {
	id := c.GetHeader(problem.RequestIDHeader)
	if !isSafeID(id) {
		id = uuid.NewString()
	}
	c.Request = c.Request.WithContext(problem.WithRequestID(c.Request.Context(), id))
	c.Header(problem.RequestIDHeader, id)
	c.Next()
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
