// Package problem is the error body of the REST API: one type that is a Go error, an HTTP answer and a schema of the OpenAPI
// document. It also translates the errors of kube-apiserver, the ledger and the HTTP framework.
package problem

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-logr/logr"
)

// ContentType of every answer of the REST API.
const ContentType = "application/json"

// Code is the machine-readable name of an error.
type Code string

// The codes, with the status of the answer.
const (
	CodeValidation          Code = "VALIDATION_ERROR"       // 400: a field is missing, unknown or invalid, or the JSON is broken.
	CodeUnauthorized        Code = "UNAUTHORIZED"           // 401: no key, or a key that does not work.
	CodeInsufficientCredits Code = "INSUFFICIENT_CREDITS"   // 402: the account has no credits left, or its budget is used up; see `reason`.
	CodeInsufficientScope   Code = "INSUFFICIENT_SCOPE"     // 403: the key lacks the scope.
	CodeForbidden           Code = "FORBIDDEN"              // 403: a policy or a setting of the installation refuses it.
	CodeNotFound            Code = "NOT_FOUND"              // 404: no such path or object, or the key may not see it.
	CodeMethodNotAllowed    Code = "METHOD_NOT_ALLOWED"     // 405: `Allow` lists the methods of the path.
	CodeConflict            Code = "CONFLICT"               // 409: the object is not in a state that allows it; see `reason`.
	CodeLimitReached        Code = "LIMIT_REACHED"          // 409: the account has as many as it may; see `details`.
	CodeGone                Code = "GONE"                   // 410: the article was unpublished: remove it from your site.
	CodePreconditionFailed  Code = "PRECONDITION_FAILED"    // 412: the object is not the one that `If-Match` names.
	CodePayloadTooLarge     Code = "PAYLOAD_TOO_LARGE"      // 413: the body is larger than the operation takes.
	CodeUnsupportedType     Code = "UNSUPPORTED_MEDIA_TYPE" // 415: the body is compressed, or not JSON in UTF-8.
	CodeRateLimited         Code = "RATE_LIMIT_EXCEEDED"    // 429: a limit is reached; try again after `Retry-After`.
	CodeInternal            Code = "INTERNAL"               // 500: an error of Pressroom; quote the `request_id`.
	CodeUnavailable         Code = "UNAVAILABLE"            // 503: something is missing now; try again after `Retry-After`.
)

// MaxDetails bounds the details of an error. Its message says how many more there are.
const MaxDetails = 20

// ErrorBody is the error inside an APIError.
type ErrorBody struct {
	Code    Code          `json:"code"`
	Message string        `json:"message" doc:"What went wrong, for people." example:"keyword: must be at least 2 characters long"`
	Reason  Reason        `json:"reason,omitempty"`
	Details []ErrorDetail `json:"details" maxItems:"20" doc:"Every field that failed, at most 20; empty if no field is at fault."`
	Status  int           `json:"status" doc:"The HTTP status, for programs that see the body alone." example:"400"`

	CurrentDigest string `json:"current_digest,omitempty" doc:"With the reason text_changed: revision_digest of the text that there is now."`
	RequestID     string `json:"request_id" doc:"The answer's x-request-id: quote it to us." example:"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"`
}

// APIError is the body of every answer that is not 2xx. It is an error, so that operations return it.
type APIError struct {
	Success bool      `json:"success" enum:"false"`
	Problem ErrorBody `json:"error"`

	status     int
	retryAfter time.Duration
	// header has what else the answer says in its header.
	header http.Header
}

// New returns an APIError.
func New(status int, code Code, message string, details ...ErrorDetail) *APIError {
	// What a caller has may be one that several answers share.
	named := append([]ErrorDetail{}, details...)
	for i := range named {
		named[i].Code = cmp.Or(named[i].Code, codeOf(named[i].Message))
	}
	return &APIError{status: status, Problem: ErrorBody{Code: code, Message: message, Details: named, Status: status}}
}

// For returns the error as the answer to a request.
func (e *APIError) For(requestID string) *APIError {
	answer := *e
	answer.Problem.RequestID = requestID
	return &answer
}

// After sets the header Retry-After.
func (e *APIError) After(d time.Duration) *APIError {
	e.retryAfter = d
	return e
}

// RetryAfter returns when the request may be tried again; 0 if the answer does not say.
func (e *APIError) RetryAfter() time.Duration { return e.retryAfter }

// Error makes an APIError an error.
func (e *APIError) Error() string { return string(e.Problem.Code) + ": " + e.Problem.Message }

// GetStatus returns the HTTP status. The framework calls it.
func (e *APIError) GetStatus() int { return e.status }

// GetHeaders returns the headers of the answer. The framework calls it.
func (e *APIError) GetHeaders() http.Header {
	h := http.Header{}
	maps.Copy(h, e.header)
	if e.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", cmp.Or(h.Get("WWW-Authenticate"), challenge))
	}
	if e.retryAfter > 0 {
		// Rounded up, so that a client that obeys it does not come too early.
		h.Set("Retry-After", strconv.FormatInt(int64(math.Ceil(e.retryAfter.Seconds())), 10))
	}
	return h
}

// challenge names the scheme of the REST API, which a 401 must have (RFC 9110, section 15.5.2).
const challenge = `ApiKey realm="Pressroom", header="x-api-key"`

// Write sends the error if no operation was reached. It says how long the answer is: a client that is still sending its body sees the
// end of the answer.
func (e *APIError) Write(w http.ResponseWriter, log logr.Logger) {
	body, err := json.Marshal(e.For(w.Header().Get(RequestIDHeader)))
	if err != nil {
		log.Error(err, "writing an error")
	}
	body = append(body, '\n')
	for name, values := range e.GetHeaders() {
		if name != policyHeader && name != leftHeader {
			w.Header().Del(name)
		}
		w.Header()[name] = append(w.Header()[name], values...)
	}
	w.Header().Set("Content-Type", ContentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.status)
	if _, err := w.Write(body); err != nil {
		log.V(1).Info("the client disconnected before the answer", "error", err.Error())
	}
}

// Codes are all codes, as the OpenAPI document lists them. A later version may add some.
var Codes = []Code{
	CodeValidation, CodeUnauthorized, CodeInsufficientCredits, CodeInsufficientScope, CodeForbidden, CodeNotFound,
	CodeMethodNotAllowed, CodeGone, CodeConflict, CodeLimitReached, CodePreconditionFailed, CodePayloadTooLarge,
	CodeUnsupportedType, CodeRateLimited, CodeInternal, CodeUnavailable,
}

// Schema describes a Code: the framework calls it.
func (Code) Schema(huma.Registry) *huma.Schema {
	return enumOf("What went wrong, for programs. Later versions may add codes.", CodeValidation, Codes)
}

func enumOf[T ~string](description string, example T, values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Description: description, Examples: []any{example}}
	for _, value := range values {
		s.Enum = append(s.Enum, string(value))
	}
	return s
}

// Parse returns the APIError of an answer that is not 2xx. What is no error body becomes CodeInternal.
func Parse(status int, header http.Header, body []byte) *APIError {
	e := &APIError{}
	if err := json.Unmarshal(body, e); err != nil || e.Problem.Code == "" {
		e = New(status, CodeInternal, http.StatusText(status))
	}
	e.status, e.Problem.Status = status, status
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		e.retryAfter = time.Duration(seconds) * time.Second
	}
	return e
}

// RequestIDHeader carries the id of the request in every answer.
const RequestIDHeader = "x-request-id"

type requestIDKey struct{}

// WithRequestID returns a context of a request that has an id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
