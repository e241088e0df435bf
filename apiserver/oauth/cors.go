package oauth

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// The headers of the Fetch standard, "CORS protocol".
const (
	allowOrigin  = "Access-Control-Allow-Origin"
	allowMethods = "Access-Control-Allow-Methods"
	allowHeaders = "Access-Control-Allow-Headers"
	maxAge       = "Access-Control-Max-Age"
)

// shareWithBrowsers lets pages of any origin read the answer to a public client, which runs in its users' browsers. No cookie is ever
// looked at here, so an origin is no secret to be kept. A confidential client has no business in a browser: its secret would be there.
func shareWithBrowsers(c *gin.Context, client *caller) {
	if client.Spec.Type == v1alpha1.OAuthClientPublic {
		c.Header(allowOrigin, "*")
	}
}

// preflight answers the question of a browser before a request of a page. It does not say yet which client will ask.
func (s *Server) preflight(c *gin.Context) {
	if c.GetHeader("Origin") == "" || c.GetHeader("Access-Control-Request-Method") == "" {
		s.refuseMethod(c)
		return
	}
	c.Header(allowOrigin, "*")
	c.Header(allowMethods, http.MethodPost)
	c.Header(allowHeaders, "Content-Type")
	c.Header(maxAge, "7200")
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
}
