package middleware

import (
	"io"
	"net/http"

	"github.com/gin-gonic/gin"
)

// drainLimit bounds how much of a refused request's body is read, in bytes.
const drainLimit = 8 << 20

// drainBody reads the rest of a body if the request was refused before it was read, so that a client that sends first and reads
// later gets the answer instead of a broken connection. The server's deadlines for reading apply.
func drainBody(c *gin.Context) {
	body := c.Request.Body
	if body == nil {
		c.Next()
		return
	}
	c.Request.Body = io.NopCloser(body)
	c.Next()
	if c.Writer.Status() >= http.StatusBadRequest {
		// The answer is written; a failed read changes nothing.
		_, _ = io.CopyN(io.Discard, body, drainLimit)
	}
}
