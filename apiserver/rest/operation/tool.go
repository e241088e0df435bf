package operation

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Endpoint is what an operation is without the types of its input and output.
type Endpoint struct {
	// ID is the operationId.
	ID           string
	Method, Path string
	// Scope that the credential must have; AnyScope if every credential may call the operation.
	Scope v1alpha1.Scope
}

// Any is an operation of any input and output.
type Any interface{ Endpoint() Endpoint }

// Endpoint returns the operation without its types.
func (o Operation[I, O]) Endpoint() Endpoint {
	return Endpoint{ID: o.ID, Method: o.Method, Path: o.Path, Scope: o.Scope}
}

// Message is a request to an operation whose types the caller does not know. The operation validates it.
type Message struct {
	// Path has the parameters of the path, which have letters, digits and hyphens only.
	Path   map[string]string
	Query  url.Values
	Header http.Header
	// Body is JSON; nil for no body.
	Body []byte
}

// Send calls an operation for a tool, in the name of the holder of a credential, and returns the body of the answer. A call that is refused
// returns a *problem.APIError.
func (l *Local) Send(ctx context.Context, as auth.Principal, to Endpoint, m Message) ([]byte, error) {
	path := to.Path
	for name, value := range m.Path {
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
	}
	if len(m.Query) > 0 {
		path += "?" + m.Query.Encode()
	}
	var body io.Reader = http.NoBody
	if m.Body != nil {
		body = bytes.NewReader(m.Body)
	}
	q, err := http.NewRequestWithContext(withCaller(ctx, as, middleware.ViaMCP), to.Method, path, body)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", to.ID, err)
	}
	if m.Header != nil {
		q.Header = m.Header.Clone()
	}
	if m.Body != nil {
		q.Header.Set("Content-Type", problem.ContentType)
	}
	answer, err := l.serve(q)
	if err != nil {
		return nil, err
	}
	return answer.body.Bytes(), nil
}

// Admit finds out whom a credential belongs to, and counts an arrival, as for a request to the REST API. It sets the header fields of the
// credential's share.
func (l *Local) Admit(ctx context.Context, credential string, set func(name, value string)) (auth.Principal, *problem.APIError) {
	if !l.core.Synced() {
		return auth.Principal{}, starting()
	}
	principal, err := l.core.Authenticator.Authenticate(ctx, credential)
	if err != nil {
		return auth.Principal{}, l.core.authProblem(ctx, err)
	}
	wait := l.core.arrivals.Take(principal.ID, principal.Account)
	l.core.shareOf(principal, wait, set)
	if wait > 0 {
		return auth.Principal{}, problem.TooManyRequests(wait)
	}
	return principal, nil
}

// Read reads the body of a request of so many bytes at most. It counts to the bodies of the account that are being read, and must arrive as
// fast as that of a request to the REST API.
func (l *Local) Read(w http.ResponseWriter, r *http.Request, as auth.Principal, limit int64) ([]byte, *problem.APIError) {
	if r.ContentLength > limit {
		return nil, problem.TooLarge(limit)
	}
	connection := http.NewResponseController(w)
	// Both fail only on a connection that is closed already, or without one as in tests.
	_ = connection.SetReadDeadline(time.Now().Add(l.core.Limits.BodyTimeout))
	defer func() { _ = connection.SetReadDeadline(time.Time{}) }()
	held := l.core.bodies.Count(middleware.Holder{Account: as.Account}, r.Body)
	defer held.Release()
	return readBody(held, limit, l.core.Limits.AccountBodyBytes)
}

// Workspaces returns the names of the workspaces that a credential opens.
func (l *Local) Workspaces(as auth.Principal) (names []string) {
	for _, w := range l.core.Index.Workspaces(as.Account) {
		if as.Opens(w.Name) {
			names = append(names, w.Name)
		}
	}
	return names
}

// Now is the time by the clock of the operations.
func (l *Local) Now() time.Time { return l.core.Clock.Now() }
