package middleware

import (
	"net/url"
	"path"

	"github.com/gin-gonic/gin"
)

// plainPath answers a request whose path is not written in its normal form as one for a path that has no route. The router would decode the
// path before it looks for a route. A proxy that guards a prefix, such as /v1/, compares what was sent: both must see the same path. No
// route needs a character that must be encoded.
func plainPath(refuse gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		if !isPlain(c.Request.URL) {
			c.Abort()
			refuse(c)
			return
		}
		c.Next()
	}
}

// isPlain reports whether a path has nothing encoded, no empty segment and no dot segment.
func isPlain(u *url.URL) bool {
	clean := path.Clean(u.Path)
	return u.EscapedPath() == u.Path && (u.Path == clean || u.Path == clean+"/")
}
