package middleware

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

const (
	// drainLimit bounds how much of a refused request's body is read, in bytes.
	drainLimit = 8 << 20
	// drainTimeout bounds how long it is read.
	drainTimeout = 2 * time.Second
)

// drainBody sends a refusal at once, and then reads the rest of the body for a moment: a client that sends all before it reads gets
// the answer instead of a broken connection.
func drainBody(c *gin.Context) {
	if c.Request.Body == nil || c.Request.ContentLength == 0 {
		c.Next()
		return
	}
	body := &begun{ReadCloser: c.Request.Body}
	c.Request.Body = body
	c.Next()
	if c.Writer.Status() < http.StatusBadRequest || body.ended {
		return
	}
	if !body.read && strings.EqualFold(c.GetHeader("Expect"), "100-continue") {
		// The client waits for the answer before it sends anything, and sends nothing after a refusal. The server closes the
		// connection (RFC 9110, section 10.1.1).
		return
	}
	// A failure changes nothing: the answer is written, and the server ends the connection. Without full duplex the server would read
	// the body before it sends the answer.
	connection := http.NewResponseController(c.Writer)
	_ = connection.EnableFullDuplex()
	_ = connection.SetReadDeadline(time.Now().Add(drainTimeout))
	c.Writer.Flush()
	_, _ = io.CopyN(io.Discard, body.ReadCloser, drainLimit)
}

// begun is a body that a reader may close early, and that knows how far it was read.
type begun struct {
	io.ReadCloser

	read, ended bool
}

func (b *begun) Read(p []byte) (int, error) {
	b.read = true
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

// Close leaves the rest to drainBody.
func (b *begun) Close() error { return nil }
