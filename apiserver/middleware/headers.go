package middleware

import "github.com/gin-gonic/gin"

// privateHeaders keep answers out of caches, and browsers from guessing another type. The handlers of public files set their
// own.
func privateHeaders(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Next()
}
