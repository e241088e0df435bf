package problem

import "net/http"

// CodePreconditionFailed is the code of an answer to a header If-Match.
const CodePreconditionFailed Code = "PRECONDITION_FAILED"

// PreconditionFailed is the answer if a resource is not the one that the header If-Match names (RFC 9110, section 13.1.1).
func PreconditionFailed() *APIError {
	return New(http.StatusPreconditionFailed, CodePreconditionFailed, "the article has changed since you read it: read it again")
}
