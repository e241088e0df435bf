package oauth

import (
	"net/http"
	"slices"
	"strings"
)

// Serves reports whether the resources that a client names (RFC 8707) are all served at the address of the REST API: that address or the
// endpoint for agents below it, with or without one slash at the end, which clients add that write addresses as browsers do. Otherwise
// they are compared byte for byte. A token opens both, so it makes no difference which are named, or that none is.
func Serves(base string, resources []string) bool {
	return !slices.ContainsFunc(resources, func(resource string) bool {
		named := strings.TrimSuffix(resource, "/")
		return base == "" || (named != base && named != base+MCPPath)
	})
}

// invalidTarget refuses a request for a token that would be for somebody else.
func invalidTarget() *answerError {
	return newError(http.StatusBadRequest, codeInvalidTarget, "resource must be the address of the REST API or of its endpoint /mcp")
}
