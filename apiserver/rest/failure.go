package rest

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Code is the machine-readable name of what went wrong.
type Code string

// The codes. The first three are the contract's (section 7); the others are what it leaves open (design, section 4).
const (
	CodeValidation          Code = "VALIDATION_ERROR"
	CodeRateLimited         Code = "RATE_LIMIT_EXCEEDED"
	CodeInsufficientCredits Code = "INSUFFICIENT_CREDITS"
	CodeUnauthorized        Code = "UNAUTHORIZED"
	CodeInsufficientScope   Code = "INSUFFICIENT_SCOPE"
	CodeNotFound            Code = "NOT_FOUND"
	CodeConflict            Code = "CONFLICT"
	CodePayloadTooLarge     Code = "PAYLOAD_TOO_LARGE"
	CodeUnavailable         Code = "UNAVAILABLE"
	CodeInternal            Code = "INTERNAL"
)

// Detail names one field of the request that failed, and why.
type Detail struct {
	_ struct{} `additionalProperties:"true"`

	Field   string `json:"field" doc:"Name of the field: as in the body, of the query parameter or of the header." example:"keyword"`
	Message string `json:"message" doc:"What must be." example:"expected length >= 2"`
}

// Problem is the error inside an APIError.
type Problem struct {
	_ struct{} `additionalProperties:"true"`

	Code    Code     `json:"code" doc:"What went wrong, for programs." example:"VALIDATION_ERROR"`
	Message string   `json:"message" doc:"What went wrong, for people." example:"keyword: expected length >= 2"`
	Details []Detail `json:"details" doc:"Every field that failed; empty where no field is at fault."`
}

// APIError is the body of every answer that is not 2xx. It is an error, so that operations return it.
type APIError struct {
	_ struct{} `additionalProperties:"true"`

	Success bool    `json:"success" enum:"false"`
	Problem Problem `json:"error"`

	status     int
	retryAfter time.Duration
}

// Error makes an APIError an error.
func (f *APIError) Error() string { return string(f.Problem.Code) + ": " + f.Problem.Message }

// GetStatus returns the HTTP status. The framework asks for it.
func (f *APIError) GetStatus() int { return f.status }

// GetHeaders returns the headers of the answer. The framework asks for them.
func (f *APIError) GetHeaders() http.Header {
	h := http.Header{}
	if f.retryAfter > 0 {
		h.Set("Retry-After", retryAfterSeconds(f.retryAfter))
	}
	return h
}

// retryAfterSeconds is never shorter than the wait, so that who keeps to it does not come too early.
func retryAfterSeconds(d time.Duration) string {
	return strconv.FormatInt(int64(math.Ceil(d.Seconds())), 10)
}

func failure(status int, code Code, message string, details ...Detail) *APIError {
	if details == nil {
		details = []Detail{}
	}
	return &APIError{status: status, Problem: Problem{Code: code, Message: message, Details: details}}
}

func (f *APIError) after(d time.Duration) *APIError {
	f.retryAfter = d
	return f
}

func unauthorized() *APIError {
	return failure(http.StatusUnauthorized, CodeUnauthorized, "the header x-api-key must carry a valid API key")
}

func insufficientScope(scope string) *APIError {
	return failure(http.StatusForbidden, CodeInsufficientScope, "the API key must have the scope "+scope)
}

func notFound(what string) *APIError {
	return failure(http.StatusNotFound, CodeNotFound, "there is no such "+what)
}

func conflict(message string) *APIError {
	return failure(http.StatusConflict, CodeConflict, message)
}

func tooLarge() *APIError {
	return failure(http.StatusRequestEntityTooLarge, CodePayloadTooLarge, "the body must be at most 1 MiB",
		Detail{Field: fieldBody, Message: "must be at most 1048576 bytes"})
}

func unavailable(message string, after time.Duration) *APIError {
	return failure(http.StatusServiceUnavailable, CodeUnavailable, message).after(after)
}

func internal(requestID string) *APIError {
	message := "something went wrong on our side"
	if requestID != "" {
		message += "; please quote the request id " + requestID
	}
	return failure(http.StatusInternalServerError, CodeInternal, message)
}

// invalid is the answer to a request whose fields failed.
func invalid(details ...Detail) *APIError {
	message := "the request is not valid"
	if len(details) > 0 {
		message = details[0].Field + ": " + details[0].Message
	}
	if n := len(details) - 1; n > 0 {
		message += " (and " + strconv.Itoa(n) + " more)"
	}
	return failure(http.StatusBadRequest, CodeValidation, message, details...)
}

// write sends a failure where no operation has been reached.
func (f *APIError) write(w http.ResponseWriter) error {
	maps.Copy(w.Header(), f.GetHeaders())
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(f.status)
	return json.NewEncoder(w).Encode(f)
}
