// Package mcp has the endpoint for agents: operations of the REST API as tools of the Model Context Protocol (POST /mcp).
//
// A tool is a row of a table, with an operation as a value. A call of a tool is a call of the operation, by operation.Local: it is
// validated, limited, logged and counted as a request to the REST API, and a refusal is the error of the REST API. Which tools there are
// depends on the scopes of the credential. Nothing is kept between requests, so any replica answers any of them.
//
// A browser can neither send a credential here by itself nor be told to by a page of another origin, which gets no CORS header. So neither
// Origin nor Host is compared with anything: a name that leads to the loopback address of this process (DNS rebinding) opens nothing, and a
// proxy in front of it may pass on the name by which it is reached.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-logr/logr"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

const (
	// Path of the endpoint below the address of the REST API.
	Path = oauth.MCPPath
	// metadataPath is where clients read how they get a token for it (RFC 9728).
	metadataPath = oauth.ResourcePath + Path
	// maxBody bounds the body of a request, in bytes: a text of an article takes up to 262,144, of which JSON may write some as several.
	maxBody = 1 << 20
	// listFor is how long a client may keep the list of tools.
	listFor = time.Minute
)

// Options of an Endpoint.
type Options struct {
	// Local calls the operations.
	Local *operation.Local
	// Base returns the external address of the REST API; empty if it is not known.
	Base func() string
	// Log may be the zero Logger, which is silent.
	Log logr.Logger
}

// Endpoint answers agents.
type Endpoint struct {
	Options

	servers map[rights]*sdk.Server
	handler http.Handler
}

// rights are the scopes that decide which tools there are.
type rights struct{ read, write bool }

func rightsOf(p auth.Principal) rights {
	return rights{read: p.Has(v1alpha1.ScopeRead), write: p.Has(v1alpha1.ScopeWrite)}
}

// allow reports whether a tool is there.
func (r rights) allow(t *tool) bool {
	switch t.Scope {
	case operation.AnyScope:
		return true
	case v1alpha1.ScopeRead:
		return r.read
	case v1alpha1.ScopeWrite:
		return r.write
	default:
		return false
	}
}

// New returns an Endpoint, with a server for each set of scopes.
func New(o Options) *Endpoint {
	e := &Endpoint{Options: o, servers: map[rights]*sdk.Server{}}
	logger := slog.New(logr.ToSlogHandler(o.Log.V(1)))
	for _, r := range []rights{{}, {read: true}, {write: true}, {read: true, write: true}} {
		e.servers[r] = e.server(r, logger)
	}
	e.handler = sdk.NewStreamableHTTPHandler(
		func(r *http.Request) *sdk.Server { return e.servers[rightsOf(callerOf(r.Context()))] },
		&sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, DisableLocalhostProtection: true,
			MaxRequestBodyBytes: maxBody, Logger: logger,
		})
	return e
}

// server returns the server for a set of scopes.
func (e *Endpoint) server(r rights, logger *slog.Logger) *sdk.Server {
	list, version := tools()
	s := sdk.NewServer(&sdk.Implementation{Name: "pressroom", Title: "Pressroom", Version: version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: logger, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		// The list depends on the credential, so no cache may give it to others.
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.CacheScope, c.TTLMs = "private", int(listFor.Milliseconds())
		},
	})
	for _, t := range list {
		if r.allow(t) {
			s.AddTool(t.definition(), e.call(t))
		}
	}
	s.AddReceivingMiddleware(e.guard)
	return s
}

// definition is the tool as clients see it. The annotations are advice: what a credential may do, its scopes say.
func (t *tool) definition() *sdk.Tool {
	a := &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: t.effect == reads, IdempotentHint: t.effect == changes || t.effect == reads}
	if t.effect != reads {
		a.DestructiveHint = new(t.effect == changes || t.effect == replaces)
	}
	a.OpenWorldHint = new(false)
	return &sdk.Tool{Name: t.name, Description: t.text, Annotations: a, InputSchema: t.schema}
}

// Mount adds the endpoint to a router. The router answers other methods than POST with 405.
func (e *Endpoint) Mount(r gin.IRouter) { r.POST(Path, e.serve) }

// arrival is what the endpoint knows of a request before the protocol sees it.
type arrival struct {
	caller auth.Principal
	// gone is closed when the client has gone. Before version 2026-07-28 of the protocol, the context of a call does not end then.
	gone <-chan struct{}
}

type arrivalKey struct{}

// callerOf returns the holder of the credential of a request.
func callerOf(ctx context.Context) auth.Principal {
	a, _ := ctx.Value(arrivalKey{}).(arrival)
	return a.caller
}

// goneOf returns a channel that is closed when the client of a request has gone.
func goneOf(ctx context.Context) <-chan struct{} {
	a, _ := ctx.Value(arrivalKey{}).(arrival)
	return a.gone
}

// serve answers a request: the credential and the limit of arrivals come before anything of the body.
func (e *Endpoint) serve(c *gin.Context) {
	credential, refused := credentialOf(c.Request.Header)
	if refused != nil {
		refused.Write(c.Writer, e.Log)
		return
	}
	ctx := c.Request.Context()
	caller, refused := e.Local.Admit(ctx, credential, c.Header)
	if refused != nil {
		e.refuse(c, refused, credential)
		return
	}
	body, refused := e.Local.Read(c.Writer, c.Request, caller, maxBody)
	if refused != nil {
		refused.Write(c.Writer, e.Log)
		return
	}
	if wrong := checkMessage(body); wrong != nil {
		e.refuseMessage(c, wrong)
		return
	}
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	e.handler.ServeHTTP(c.Writer, c.Request.WithContext(context.WithValue(ctx, arrivalKey{}, arrival{caller, ctx.Done()})))
}

// refuse answers a request without a credential that works. A 401 says where a client reads how it gets a token.
func (e *Endpoint) refuse(c *gin.Context, refused *problem.APIError, credential string) {
	if refused.GetStatus() != http.StatusUnauthorized {
		refused.Write(c.Writer, e.Log)
		return
	}
	problem.UnauthorizedAt(challenge(e.Base(), credential),
		"the header Authorization must carry Bearer and a valid API key or access token, or the header x-api-key one alone").
		Write(c.Writer, e.Log)
}

// checkMessage returns what is wrong with a body before the protocol sees it. A batch is refused, which the protocol has not had since
// 2025-06-18: one request could ask for thousands of answers. So is what two readers of JSON could read in two ways.
func checkMessage(body []byte) *jsonrpc.Error {
	value := jsontext.Value(body)
	switch {
	case !value.IsValid():
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the body must be one JSON object in UTF-8 whose members come once"}
	case value.Kind() != '{':
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the body must be one message: batches are not supported"}
	}
	return nil
}

// refuseMessage answers a body that is no message.
func (e *Endpoint) refuseMessage(c *gin.Context, wrong *jsonrpc.Error) {
	c.JSON(http.StatusBadRequest, map[string]any{"jsonrpc": "2.0", "id": nil, "error": wrong})
}

// methods are those of the protocol that the endpoint supports. Others, such as subscriptions, would only hold a connection.
var methods = []string{
	"initialize", "notifications/initialized", "notifications/cancelled", "ping", "server/discover", "tools/list", "tools/call",
}

// guard refuses other methods, ends a call whose client has gone, and answers a panic as an internal error: the protocol's library
// answers each request in a goroutine of its own, where nothing else would recover.
func (e *Endpoint) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (answer sdk.Result, err error) {
		if !slices.Contains(methods, method) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there is no method " + shown(method)}
		}
		defer func() {
			if cause := recover(); cause != nil {
				id := problem.RequestID(ctx)
				e.Log.Error(fmt.Errorf("panic: %v", cause), "answering an agent failed", "requestID", id, "method", method,
					"stack", string(debug.Stack()))
				answer, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: problem.Internal(id).Problem.Message}
			}
		}()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			select {
			case <-goneOf(ctx):
				cancel()
			case <-ctx.Done():
			}
		}()
		return next(ctx, method, req)
	}
}

// call returns the handler of a tool. What is refused is a result too, so that the agent reads what must be.
func (e *Endpoint) call(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		text, err := e.answer(ctx, t, req.Params.Arguments)
		if err == nil {
			return result(text), nil
		}
		refused, ok := errors.AsType[*problem.APIError](err)
		if !ok {
			e.Log.Error(err, "answering an agent failed", "requestID", problem.RequestID(ctx), "tool", t.name)
			refused = problem.Internal(problem.RequestID(ctx))
		}
		return refusal(renamed(refused.For(problem.RequestID(ctx))), e.Local.Now()), nil
	}
}

// answer calls the operation of a tool. A list that is too long is asked for again with fewer items, so that its cursor is right.
func (e *Endpoint) answer(ctx context.Context, t *tool, arguments json.RawMessage) (string, error) {
	args, refused := readGiven(arguments)
	if refused != nil {
		return "", refused
	}
	_, isPaged := t.arguments[limitArgument]
	for {
		out, err := e.ask(ctx, t, args)
		if err != nil {
			return "", err
		}
		if !isPaged || out.full <= maxResult || out.items <= 1 {
			return out.text, nil
		}
		args = args.limited(min(out.items*maxResult/out.full, out.items-1))
	}
}

// ask calls the operation of a tool once.
func (e *Endpoint) ask(ctx context.Context, t *tool, args given) (presented, error) {
	caller := callerOf(ctx)
	m, refused := t.message(args)
	if refused != nil {
		return presented{}, refused
	}
	t.fill(m, func() []string { return e.Local.Workspaces(caller) })
	body, err := e.Local.Send(ctx, caller, t.Endpoint, m)
	if err != nil {
		return presented{}, err
	}
	return present(body, args.offset())
}
