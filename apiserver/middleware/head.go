package middleware

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// AnswerHEAD adds the method HEAD to every route of GET that the router has: the answer is that of GET, of which the server sends
// the headers alone (RFC 9110, section 9.3.2).
func AnswerHEAD(r *gin.Engine) {
	for _, route := range r.Routes() {
		if route.Method == http.MethodGet {
			r.HEAD(route.Path, route.HandlerFunc)
		}
	}
}
