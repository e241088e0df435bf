package problem

import "net/http"

// PreconditionFailed is the answer if a resource is not the one that the header If-Match names (RFC 9110, section 13.1.1).
func PreconditionFailed() *APIError {
	return New(http.StatusPreconditionFailed, CodePreconditionFailed, "it has changed since you read it: read it again")
}

// UnusableTag is the answer to a header If-Match that cannot be compared.
func UnusableTag() *APIError {
	return New(http.StatusPreconditionFailed, CodePreconditionFailed,
		"If-Match must be the ETag as it was sent: in quotes, and not a weak one, into which proxies turn it that compress answers")
}
