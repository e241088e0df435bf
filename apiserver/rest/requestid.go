package rest

import (
	"context"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/pressroom-dev/pressroom/apiserver/recovery"
)

const requestIDHeader = recovery.RequestIDHeader

type requestIDKey struct{}

// withRequestID gives every request an id and says it in every answer. A client's own is taken over where it is sane, so
// that one id follows a request through several systems.
func withRequestID(c *gin.Context) {
	id := c.GetHeader(requestIDHeader)
	if !saneID(id) {
		id = uuid.NewString()
	}
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), requestIDKey{}, id))
	c.Header(requestIDHeader, id)
	c.Next()
}

// requestID returns the id of the request that ctx belongs to, or "".
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// saneID keeps what could break a log line or a header out of both.
func saneID(id string) bool {
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
