package generate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const (
	// maxAnswerBytes bounds an answer of an endpoint. A body of the largest size, each character escaped in JSON, and long
	// reasoning beside it fit in.
	maxAnswerBytes = 8 << 20
	// maxRefusalBytes bounds what is read of an answer that is not 2xx.
	maxRefusalBytes = 64 << 10
)

// errTooLarge says that an answer is over maxAnswerBytes.
var errTooLarge = errors.New("the endpoint's answer is too large")

// statusError is an answer that is not 2xx.
type statusError struct {
	status int
	header http.Header
	body   []byte
}

// Error implements error without anything that the endpoint said.
func (e *statusError) Error() string { return fmt.Sprintf("the endpoint answered %d", e.status) }

// transportError is a request that got no answer, or not all of it.
type transportError struct{ cause error }

// Error implements error without the request's URL.
func (e *transportError) Error() string { return "the request failed" }

// Unwrap returns the cause.
func (e *transportError) Unwrap() error { return e.cause }

// exchange is the middleware of both clients: it bounds answers and makes errors whose kind does not depend on the client.
func exchange(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	resp, err := next(req)
	if err != nil {
		return nil, &transportError{err}
	}
	ok := resp.StatusCode/100 == 2
	limit := int64(maxRefusalBytes)
	if ok {
		limit = maxAnswerBytes
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	err = errors.Join(err, resp.Body.Close())
	switch {
	case !ok:
		return nil, &statusError{status: resp.StatusCode, header: resp.Header, body: body}
	case err != nil:
		return nil, &transportError{err}
	case int64(len(body)) > limit:
		return nil, errTooLarge
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	// Some servers send JSON under another name; what is none fails to parse.
	resp.Header.Set("Content-Type", "application/json")
	return resp, nil
}
