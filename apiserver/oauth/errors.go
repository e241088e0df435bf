package oauth

import (
	"errors"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// errorCode is an error code of RFC 6749, section 5.2, of RFC 7009 or of RFC 8707.
type errorCode string

const (
	codeInvalidRequest       errorCode = "invalid_request"
	codeInvalidClient        errorCode = "invalid_client"
	codeInvalidGrant         errorCode = "invalid_grant"
	codeUnauthorizedClient   errorCode = "unauthorized_client"
	codeUnsupportedGrantType errorCode = "unsupported_grant_type"
	codeInvalidTarget        errorCode = "invalid_target" // RFC 8707, section 2
	codeUnavailable          errorCode = "temporarily_unavailable"
	codeServerError          errorCode = "server_error"
)

// unavailableWait is how long a client waits if something is unavailable.
const unavailableWait = 2 * time.Second

// answerError is an error answer to a client. It never says which part of a credential was wrong.
type answerError struct {
	Code        errorCode `json:"error"`
	Description string    `json:"error_description"`

	status int
	// wait is how long the client waits before it tries again.
	wait time.Duration
}

// Error implements error.
func (e *answerError) Error() string { return string(e.Code) + ": " + e.Description }

func newError(status int, code errorCode, description string) *answerError {
	return &answerError{Code: code, Description: description, status: status}
}

func invalidRequest(description string) *answerError {
	return newError(http.StatusBadRequest, codeInvalidRequest, description)
}

// unavailable is an error after which a client tries again.
func unavailable(status int, description string) *answerError {
	e := newError(status, codeUnavailable, description)
	e.wait = unavailableWait
	return e
}

// invalidClient is the one answer to everything that can be wrong with the authentication of a client.
func invalidClient() *answerError {
	return newError(http.StatusUnauthorized, codeInvalidClient, "the client is unknown, or its secret is missing or wrong")
}

// invalidGrant is the one answer to everything that can be wrong with a code.
func invalidGrant() *answerError {
	return newError(http.StatusBadRequest, codeInvalidGrant,
		"the code is unknown, expired, used or revoked, it was issued to another client, redirect_uri or code_challenge, "+
			"or the redirect_uri is not registered any more")
}

func serverError() *answerError {
	return newError(http.StatusInternalServerError, codeServerError, "something went wrong on our side")
}

// answerTo returns the answer to an error, and whether the error is to be logged. A flood is not: anybody could fill the log.
func answerTo(err error) (answer *answerError, logged bool) {
	if answer, ok := errors.AsType[*answerError](err); ok {
		return answer, false
	}
	if errors.Is(err, ErrUnavailable) {
		return unavailable(http.StatusServiceUnavailable, "try again in a moment"), !errors.Is(err, auth.ErrFlood)
	}
	return serverError(), true
}
