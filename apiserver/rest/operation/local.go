package operation

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Local calls operations in this process: for pages, in the name of a person who has signed in to them, and for tools, in the name of the
// holder of a credential. A call passes the same router, validation, limits, metrics and traces as a request from the network.
type Local struct {
	handler http.Handler
	core    *Core
}

// Connect has the calls answered by the handler of the REST API, whose operations have a core.
func (l *Local) Connect(handler http.Handler, core *Core) { l.handler, l.core = handler, core }

// Turn is that of a Call, for a page of an account that needs the CPU for long.
func (l *Local) Turn(ctx context.Context, account string) (end func(), err error) {
	return l.core.turns.Wait(ctx, account)
}

// Call calls the operation. A call that is refused returns a *problem.APIError.
func (o Operation[I, O]) Call(ctx context.Context, l *Local, as auth.Principal, in I) (out O, err error) {
	q, err := newRequest(withCaller(ctx, as, middleware.ViaPage), o.Method, o.Path, reflect.ValueOf(in))
	if err != nil {
		return out, fmt.Errorf("calling %s: %w", o.ID, err)
	}
	answer, err := l.serve(q)
	if err != nil {
		return out, err
	}
	if err := answer.read(reflect.ValueOf(&out).Elem()); err != nil {
		return out, fmt.Errorf("reading the answer of %s: %w", o.ID, err)
	}
	return out, nil
}

// serve answers a request. One that is refused returns a *problem.APIError.
func (l *Local) serve(q *http.Request) (*recorder, error) {
	// One id follows a page and all its calls.
	if id := problem.RequestID(q.Context()); id != "" {
		q.Header.Set(problem.RequestIDHeader, id)
	}
	answer := &recorder{header: http.Header{}}
	l.handler.ServeHTTP(answer, q)
	if answer.status >= http.StatusBadRequest {
		return nil, problem.Parse(answer.status, answer.header, answer.body.Bytes())
	}
	return answer, nil
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

// read sets an output of an operation: its body, and the header fields, which are texts.
func (r *recorder) read(out reflect.Value) error {
	return eachField(out, func(f reflect.StructField, value reflect.Value) error {
		if name := f.Tag.Get("header"); name != "" {
			value.SetString(r.header.Get(name))
		}
		if f.Name != bodyField {
			return nil
		}
		// It takes half the time of encoding/json, and pages with many articles are read again and again.
		return jsonv2.Unmarshal(r.body.Bytes(), value.Addr().Interface())
	})
}
