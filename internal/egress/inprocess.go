package egress

import (
	"bytes"
	"io"
	"net/http"
)

// NewInProcess returns a client whose requests a handler in this process answers: nothing is sent anywhere.
func NewInProcess(handler http.Handler) *http.Client {
	return &http.Client{Transport: inProcess{handler}, CheckRedirect: noRedirect}
}

// NewThrough returns a client whose transport is that of another client wrapped by pass, such as to record answers.
func NewThrough(client *http.Client, pass func(http.RoundTripper) http.RoundTripper) *http.Client {
	through := *client
	through.Transport = pass(client.Transport)
	return &through
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// inProcess hands requests to a handler.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := &answer{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(w, r)
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.header,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// answer is an http.ResponseWriter in memory.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
