package middleware

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// conditionalPrefix begins the paths whose answers have an entity tag.
const conditionalPrefix = "/v1/api/"

// Conditional gives every answer to a GET of the API an entity tag, and answers 304 if the client has that answer already (RFC
// 9110, section 13.1.2). The tag is the one that the operation has set, or a hash of the body: it is the same on all replicas. The
// answer may be kept by the client alone, which must ask again before it uses it.
func Conditional(c *gin.Context) {
	reads := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
	if !reads || !strings.HasPrefix(c.Request.URL.Path, conditionalPrefix) {
		c.Next()
		return
	}
	original := c.Writer
	buffered := &bufferedWriter{ResponseWriter: original}
	c.Writer = buffered
	// If a handler panics, nothing has been sent.
	defer func() { c.Writer = original }()
	c.Next()
	c.Writer = original
	if original.Status() == http.StatusOK {
		header := original.Header()
		if header.Get("ETag") == "" {
			sum := sha256.Sum256(buffered.body.Bytes())
			header.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:])+`"`)
		}
		header.Set("Cache-Control", "private, no-cache")
		header.Set("Vary", "x-api-key, x-workspace-id")
		if isListed(strings.Join(c.Request.Header.Values("If-None-Match"), ","), header.Get("ETag")) {
			header.Del("Content-Type")
			original.WriteHeader(http.StatusNotModified)
			original.WriteHeaderNow()
			return
		}
	}
	// A failed write means that the client is gone.
	_, _ = original.Write(buffered.body.Bytes())
}

// isListed reports whether If-None-Match names an entity tag, by the weak comparison of RFC 9110, section 8.8.3.2.
func isListed(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == "*" || one == tag {
			return true
		}
	}
	return false
}

// bufferedWriter keeps the body of an answer.
type bufferedWriter struct {
	gin.ResponseWriter
	body bytes.Buffer
}

// Unwrap returns the writer of the connection, for http.ResponseController.
func (w *bufferedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *bufferedWriter) Write(data []byte) (int, error) { return w.body.Write(data) }

// WriteString is Write for a text.
func (w *bufferedWriter) WriteString(text string) (int, error) { return w.body.WriteString(text) }

// WriteHeaderNow does nothing: the status is sent with the body.
func (w *bufferedWriter) WriteHeaderNow() {}
