package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Local calls the operations of the REST API within the process, for somebody whom a page has signed in. A call takes the way of every
// request: the same router, validation, limits, metrics and traces. New connects it to the REST API.
type Local struct {
	handler    http.Handler
	operations map[string]*huma.Operation
}

// connect makes the operations of a document callable.
func (l *Local) connect(handler http.Handler, document *huma.OpenAPI) {
	l.handler, l.operations = handler, map[string]*huma.Operation{}
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete} {
			if op != nil {
				l.operations[op.OperationID] = op
			}
		}
	}
}

// Request names an operation of the OpenAPI document, and what it is called with.
type Request struct {
	// Operation is its operationId.
	Operation string
	// Workspace is the value of x-workspace-id; empty for operations without one.
	Workspace string
	// Path holds the parameters of the path, such as uid.
	Path map[string]string
	// Query and Header may be nil.
	Query  url.Values
	Header http.Header
	// Body is sent as JSON; nil for none.
	Body any
}

// Do calls an operation, and returns its answer as an O, which may have only a part of its fields. A call that is refused returns a
// *problem.APIError.
func Do[O any](ctx context.Context, l *Local, as auth.Principal, r Request) (O, error) {
	out, _, err := DoTagged[O](ctx, l, as, r)
	return out, err
}

// DoTagged is Do which also returns the ETag of the answer; empty if it has none.
func DoTagged[O any](ctx context.Context, l *Local, as auth.Principal, r Request) (out O, tag string, err error) {
	q, err := l.request(operation.WithCaller(ctx, as), r)
	if err != nil {
		return out, "", err
	}
	answer := &recorder{header: http.Header{}}
	l.handler.ServeHTTP(answer, q)
	if answer.status >= http.StatusBadRequest {
		return out, "", problem.Parse(answer.status, answer.header, answer.body.Bytes())
	}
	if answer.body.Len() == 0 {
		return out, "", nil
	}
	// It takes half the time of encoding/json, and pages with many articles are read again and again.
	if err := jsonv2.Unmarshal(answer.body.Bytes(), &out); err != nil {
		return out, "", fmt.Errorf("reading the answer of %s: %w", r.Operation, err)
	}
	return out, answer.header.Get("ETag"), nil
}

func (l *Local) request(ctx context.Context, r Request) (*http.Request, error) {
	to, ok := l.operations[r.Operation]
	if !ok {
		return nil, errors.New("the REST API has no operation " + r.Operation)
	}
	path := to.Path
	for name, value := range r.Path {
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
	}
	if len(r.Query) > 0 {
		path += "?" + r.Query.Encode()
	}
	var body io.Reader = http.NoBody
	if r.Body != nil {
		data, err := json.Marshal(r.Body)
		if err != nil {
			return nil, fmt.Errorf("writing the body of %s: %w", r.Operation, err)
		}
		body = bytes.NewReader(data)
	}
	q, err := http.NewRequestWithContext(ctx, to.Method, path, body)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", r.Operation, err)
	}
	for name, values := range r.Header {
		q.Header[http.CanonicalHeaderKey(name)] = values
	}
	if r.Body != nil {
		q.Header.Set("Content-Type", problem.ContentType)
	}
	if r.Workspace != "" {
		q.Header.Set(operation.WorkspaceHeader, r.Workspace)
	}
	// One id follows a page and all its calls.
	if id := problem.RequestID(ctx); id != "" {
		q.Header.Set(problem.RequestIDHeader, id)
	}
	return q, nil
}

// recorder keeps an answer in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader keeps the first status.
func (r *recorder) WriteHeader(status int) {
	r.status = cmp.Or(r.status, status)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

// Flush does nothing: the answer is complete when the operation ends.
func (r *recorder) Flush() {}
