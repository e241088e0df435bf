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

// hideFromBrowsers has no page read the answer to a confidential client, which has no business in a browser: its secret would be there. A
// public client runs in its users' browsers, and pages of any origin read the answer to it: no cookie is ever looked at here.
func hideFromBrowsers(c *gin.Context, client *caller) {
	if client.Spec.Type == v1alpha1.OAuthClientConfidential {
		c.Writer.Header().Del(allowOrigin)
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
