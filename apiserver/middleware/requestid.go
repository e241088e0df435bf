package middleware

import (
	"regexp"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// safeID has no characters that could break a log line or a header.
var safeID = regexp.MustCompile(`^[0-9A-Za-z_.-]{1,128}$`)

// withRequestID gives every request an id. The id that a client sends is kept if it is safe, so that one id follows a request
// through several systems.
func withRequestID(c *gin.Context) {
	id := c.GetHeader(problem.RequestIDHeader)
	if !safeID.MatchString(id) {
		id = uuid.NewString()
	}
	c.Request = c.Request.WithContext(problem.WithRequestID(c.Request.Context(), id))
	c.Header(problem.RequestIDHeader, id)
	c.Next()
}
