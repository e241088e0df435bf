package generate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const (
	// maxAnswerBytes bounds a 2xx answer. It holds the longest body with each character escaped in JSON, and long reasoning.
	maxAnswerBytes = 8 << 20
	// maxRefusalBytes bounds how much of any other answer is read.
	maxRefusalBytes = 64 << 10
)

// errTooLarge is an answer over maxAnswerBytes.
var errTooLarge = errors.New("the endpoint's answer is too large")

// statusError is an answer that is not 2xx, or has an error inside.
type statusError struct {
	status int
	header http.Header
	body   []byte
	// inside is whether the answer itself was 200, and status is that of the error in it.
	inside bool
}

// Error implements error. It does not quote the endpoint.
func (e *statusError) Error() string { return fmt.Sprintf("the endpoint answered %d", e.status) }

// transportError is a request that got no answer, or not all of it.
type transportError struct{ cause error }

// Error implements error. It does not contain the request's URL.
func (e *transportError) Error() string { return "the request failed" }

// Unwrap returns the cause.
func (e *transportError) Unwrap() error { return e.cause }

// endpoint sends the requests of a backend, each once: the controller makes the retries, because it records them.
type endpoint struct {
	client *http.Client
	url    string
	// header holds the headers that differ between endpoints: credentials and versions.
	header http.Header
}

// post sends a request as JSON and reads the JSON of the answer. Its errors are a statusError, a transportError, errTooLarge,
// or those of encoding/json.
func (e endpoint) post(ctx context.Context, request, into any) error {
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return &transportError{err}
	}
	req.Header = e.header.Clone()
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Pressroom")
	resp, err := e.client.Do(req)
	if err != nil {
		return &transportError{err}
	}
	defer resp.Body.Close()
	answer, err := readAnswer(resp)
	if err != nil {
		return err
	}
	if failed := errorIn(answer); failed != nil {
		failed.header = resp.Header
		return failed
	}
	return decode(answer, into)
}

// readAnswer reads the whole body of a 2xx answer.
func readAnswer(resp *http.Response) ([]byte, error) {
	ok := resp.StatusCode/100 == 2
	limit := int64(maxRefusalBytes)
	if ok {
		limit = maxAnswerBytes
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case !ok:
		return nil, &statusError{status: resp.StatusCode, header: resp.Header, body: body}
	case err != nil:
		return nil, &transportError{err}
	case int64(len(body)) > limit:
		return nil, errTooLarge
	}
	return body, nil
}

// decode reads a JSON object, whatever its Content-Type was. A member of an unexpected type counts as absent, because endpoints
// vary in what they send beside the text; an answer without a text is the caller's to refuse.
func decode(answer []byte, into any) error {
	err := json.NewDecoder(bytes.NewReader(answer)).Decode(into)
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && mismatch.Field != "" {
		return nil
	}
	return err
}

// tokens reads a count, which some endpoints write as a fraction. One that is out of bounds is clamped.
func tokens(n float64) int64 { return int64(min(max(n, 0), maxTokens)) }
