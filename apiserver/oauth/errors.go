package oauth

import (
	"errors"
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// errorCode is what went wrong, in the words of RFC 6749, section 5.2, and of RFC 7009.
type errorCode string

const (
	codeInvalidRequest       errorCode = "invalid_request"
	codeInvalidClient        errorCode = "invalid_client"
	codeInvalidGrant         errorCode = "invalid_grant"
	codeUnauthorizedClient   errorCode = "unauthorized_client"
	codeUnsupportedGrantType errorCode = "unsupported_grant_type"
	codeUnavailable          errorCode = "temporarily_unavailable"
	codeServerError          errorCode = "server_error"
)

// answerError is an error as an app sees it. It never says which of a credential's parts was wrong.
type answerError struct {
	Code        errorCode `json:"error"`
	Description string    `json:"error_description"`

	status int
	// challenge says that the app tried the header Authorization, and must be told what that takes.
	challenge bool
}

// Error makes it an error.
func (p *answerError) Error() string { return string(p.Code) + ": " + p.Description }

func invalidRequest(description string) *answerError {
	return &answerError{Code: codeInvalidRequest, Description: description, status: http.StatusBadRequest}
}

// invalidClient is the one answer to whatever is wrong with who an app says it is.
func invalidClient(challenge bool) *answerError {
	return &answerError{
		Code: codeInvalidClient, Description: "the client is unknown, or its secret is missing or wrong",
		status: http.StatusUnauthorized, challenge: challenge,
	}
}

// invalidGrant is the one answer to whatever is wrong with a code.
func invalidGrant() *answerError {
	return &answerError{
		Code: codeInvalidGrant,
		Description: "the code is unknown, expired, used or revoked, it was issued to another client, redirect_uri or code_challenge, " +
			"or the redirect_uri is not registered any more",
		status: http.StatusBadRequest,
	}
}

// serverError is the answer to what nobody expected.
func serverError() *answerError {
	return &answerError{
		Code: codeServerError, Description: "something went wrong on our side", status: http.StatusInternalServerError,
	}
}

// asProblem returns what an app is told of an error, and whether the error is our own and must be logged. A flood is not:
// anybody could fill the log.
func asProblem(err error) (told *answerError, ours bool) {
	if p, ok := errors.AsType[*answerError](err); ok {
		return p, false
	}
	if errors.Is(err, ErrUnavailable) {
		return &answerError{Code: codeUnavailable, Description: "try again in a moment", status: http.StatusServiceUnavailable},
			!errors.Is(err, auth.ErrFlood)
	}
	return serverError(), true
}
