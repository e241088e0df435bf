package problem

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"
)

// ContentType of every answer of the REST API.
const ContentType = "application/json"

// Code is the machine-readable name of an error.
type Code string

// The codes. The first three are the contract's (section 7); it leaves the others open (design, section 4).
const (
	CodeValidation          Code = "VALIDATION_ERROR"
	CodeRateLimited         Code = "RATE_LIMIT_EXCEEDED"
	CodeInsufficientCredits Code = "INSUFFICIENT_CREDITS"
	CodeUnauthorized        Code = "UNAUTHORIZED"
	CodeInsufficientScope   Code = "INSUFFICIENT_SCOPE"
	CodeNotFound            Code = "NOT_FOUND"
	CodeConflict            Code = "CONFLICT"
	CodeForbidden           Code = "FORBIDDEN"
	CodeMethodNotAllowed    Code = "METHOD_NOT_ALLOWED"
	CodePayloadTooLarge     Code = "PAYLOAD_TOO_LARGE"
	CodeUnavailable         Code = "UNAVAILABLE"
	CodeInternal            Code = "INTERNAL"
)

// Detail names one field of the request that failed, and why.
type Detail struct {
	Field   string `json:"field" doc:"Name of the field: as in the body, of the query parameter or of the header." example:"keyword"`
	Message string `json:"message" doc:"What must be." example:"expected length >= 2"`
}

// Problem is the error inside an APIError.
type Problem struct {
	Code    Code     `json:"code"`
	Message string   `json:"message" doc:"What went wrong, for people." example:"keyword: expected length >= 2"`
	Details []Detail `json:"details" doc:"Every field that failed; empty if no field is at fault."`
}

// APIError is the body of every answer that is not 2xx. It is an error, so that operations return it.
type APIError struct {
	Success bool    `json:"success" enum:"false"`
	Problem Problem `json:"error"`

	status     int
	retryAfter time.Duration
}

// New returns an APIError.
func New(status int, code Code, message string, details ...Detail) *APIError {
	if details == nil {
		details = []Detail{}
	}
	return &APIError{status: status, Problem: Problem{Code: code, Message: message, Details: details}}
}

// After sets the header Retry-After.
func (e *APIError) After(d time.Duration) *APIError {
	e.retryAfter = d
	return e
}

// Error makes an APIError an error.
func (e *APIError) Error() string { return string(e.Problem.Code) + ": " + e.Problem.Message }

// GetStatus returns the HTTP status. The framework calls it.
func (e *APIError) GetStatus() int { return e.status }

// GetHeaders returns the headers of the answer. The framework calls it.
func (e *APIError) GetHeaders() http.Header {
	h := http.Header{}
	if e.retryAfter > 0 {
		h.Set("Retry-After", retryAfterSeconds(e.retryAfter))
	}
	return h
}

// retryAfterSeconds rounds up, so that a client that obeys it does not come too early.
func retryAfterSeconds(d time.Duration) string {
	return strconv.FormatInt(int64(math.Ceil(d.Seconds())), 10)
}

// Write sends the error if no operation was reached.
func (e *APIError) Write(w http.ResponseWriter) error {
	maps.Copy(w.Header(), e.GetHeaders())
	w.Header().Set("Content-Type", ContentType)
	w.WriteHeader(e.status)
	return json.NewEncoder(w).Encode(e)
}
