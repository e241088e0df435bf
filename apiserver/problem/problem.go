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
	CodeLimitReached        Code = "LIMIT_REACHED"
	CodeForbidden           Code = "FORBIDDEN"
	CodeMethodNotAllowed    Code = "METHOD_NOT_ALLOWED"
	CodePayloadTooLarge     Code = "PAYLOAD_TOO_LARGE"
	CodeUnavailable         Code = "UNAVAILABLE"
	CodeInternal            Code = "INTERNAL"
)

// MaxDetails bounds the details of an error. Its message says how many more there are.
const MaxDetails = 20

// Detail names one field of the request that failed, and why.
type Detail struct {
	Field   string `json:"field" doc:"Name of the field: as in the body, of the query parameter or of the header." example:"keyword"`
	Message string `json:"message" doc:"What must be." example:"expected length >= 2"`
}

// Problem is the error inside an APIError.
type Problem struct {
	Code    Code     `json:"code"`
	Message string   `json:"message" doc:"What went wrong, for people." example:"keyword: expected length >= 2"`
	Details []Detail `json:"details" maxItems:"20" doc:"Every field that failed, at most 20; empty if no field is at fault."`
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

// Write sends the error if no operation was reached. It says how long the answer is: a client that is still sending its body sees the
// end of the answer.
func (e *APIError) Write(w http.ResponseWriter) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	maps.Copy(w.Header(), e.GetHeaders())
	w.Header().Set("Content-Type", ContentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.status)
	_, err = w.Write(body)
	return err
}
