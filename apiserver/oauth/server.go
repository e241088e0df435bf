package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

// Paths of the endpoints.
const (
	TokenPath      = "/v1/public/oauth/token" //nolint:gosec // an address, not a token
	RevokePath     = "/v1/public/oauth/revoke"
	IntrospectPath = "/v1/public/oauth/introspect"
	ServerPath     = "/.well-known/oauth-authorization-server"
	ResourcePath   = "/.well-known/oauth-protected-resource"
	// MCPPath is that of the endpoint for agents, below the address of the REST API.
	MCPPath = "/mcp"
	// ConsentPath is below the address of the pages.
	ConsentPath = "/oauth/consent"
)

// operationTimeout bounds the work for one request, with all calls to kube-apiserver.
const operationTimeout = 10 * time.Second

// Options configure a Server.
type Options struct {
	Grants *Grants
	// Addresses returns the address of the REST API, which is the issuer too, and that of the pages, without a trailing slash; empty
	// ones if they are not known.
	Addresses func() (base, app string)
	Clock     clock.PassiveClock
	// Log may be the zero Logger, which is silent.
	Log logr.Logger
}

// Server serves the endpoints that clients call.
type Server struct {
	Options

	// shares are the requests of each client with a secret to this replica.
	shares *middleware.Throttle
}

// A client with a secret may send clientPerSecond requests a second to the endpoints of one replica, and clientAtOnce at once.
const (
	clientPerSecond = 50
	clientAtOnce    = 200
)

// NewServer returns the endpoints.
func NewServer(o Options) *Server {
	return &Server{o, middleware.NewThrottle(o.Clock, clientPerSecond, clientAtOnce)}
}

// Mount serves the endpoints on a router.
func (s *Server) Mount(r gin.IRouter) {
	r = r.Group("", middleware.Recover(s.Log, func(c *gin.Context) { s.refuse(c, serverError()) }))
	r.POST(TokenPath, s.endpoint(s.token))
	r.POST(RevokePath, s.endpoint(s.revoke))
	r.POST(IntrospectPath, s.endpoint(s.introspect))
	for _, path := range []string{TokenPath, RevokePath, IntrospectPath} {
		r.Match(otherMethods, path, s.refuseMethod)
	}
	r.OPTIONS(TokenPath, s.preflight)
	r.OPTIONS(RevokePath, s.preflight)
	r.OPTIONS(IntrospectPath, s.refuseMethod)
	for path, all := range map[string][]description{
		ServerPath: {{"", s.describeServer}}, ResourcePath: {{"", s.describeResource}, {MCPPath, s.describeMCP}},
	} {
		r.GET(path, s.metadata(all...))
		r.GET(path+"/*below", s.metadata(all...))
	}
}

// otherMethods are those that the endpoints do not support. They are refused with an OAuth error.
var otherMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodConnect, http.MethodTrace,
}

func (s *Server) refuseMethod(c *gin.Context) {
	c.Header("Allow", http.MethodPost)
	s.refuse(c, newError(http.StatusMethodNotAllowed, codeInvalidRequest, "the method must be POST"))
}

// operation does the work of an endpoint for an authenticated client. A nil answer is an empty one.
type operation func(context.Context, *v1alpha1.OAuthClient, params) (any, error)

// endpoint does what all endpoints have in common: answers are not cached, the client authenticates, and errors are those of
// RFC 6749.
func (s *Server) endpoint(run operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Cache-Control", "no-store")
		c.Header("Pragma", "no-cache")
		// A page in a browser may read what is wrong with its request, also before it is known which client asks.
		if c.FullPath() != IntrospectPath {
			c.Header(allowOrigin, "*")
		}
		answer, err := s.perform(c, run)
		if err != nil {
			s.refuse(c, err)
			return
		}
		s.write(c, http.StatusOK, answer)
	}
}

func (s *Server) perform(c *gin.Context, run operation) (any, error) {
	r := c.Request
	p, err := readParams(r)
	if err != nil {
		return nil, err
	}
	// An operation is completed even if the client disconnects: otherwise a thief could prevent the revocation after a second use.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), operationTimeout)
	defer cancel()
	client, err := s.authenticate(ctx, r, p)
	if err != nil {
		return nil, err
	}
	// A public client runs in its users' browsers, and pages of any origin read the answer to it: no cookie is ever looked at here. Anybody
	// can name it, so it has no share, which others would use up.
	if client.Spec.Type == v1alpha1.OAuthClientConfidential {
		// A confidential client has no business in a browser: its secret would be there.
		c.Writer.Header().Del(allowOrigin)
		if wait := s.shares.Take(client.Name); wait > 0 {
			refused := unavailable(http.StatusTooManyRequests, "too many requests of the client")
			refused.wait = wait
			return nil, refused
		}
	}
	return run(ctx, client, p)
}

func (s *Server) refuse(c *gin.Context, err error) {
	refused, logged := answerTo(err)
	if logged {
		s.Log.Error(err, "answering a client failed", "route", c.FullPath())
	}
	c.Header("Cache-Control", "no-store")
	// A 401 says how a client can authenticate, also to one that did so in the body (RFC 9110, section 15.5.2).
	if refused.status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", `Basic realm="pressroom", charset="UTF-8"`)
	}
	if refused.wait > 0 {
		c.Header("Retry-After", fmt.Sprintf("%.0f", math.Ceil(refused.wait.Seconds())))
	}
	s.write(c, refused.status, refused)
}

func (s *Server) write(c *gin.Context, status int, answer any) {
	if answer == nil {
		c.Status(status)
		c.Writer.WriteHeaderNow()
		return
	}
	c.Header("Content-Type", "application/json")
	c.Status(status)
	if err := json.NewEncoder(c.Writer).Encode(answer); err != nil {
		s.Log.V(1).Info("the client went away before the answer", "error", err.Error())
	}
}

// ScopeText writes scopes as OAuth does: in lower case, separated by spaces.
func ScopeText(scopes []v1alpha1.Scope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = strings.ToLower(string(s))
	}
	return strings.Join(words, " ")
}

// allowOrigin is a header of the Fetch standard, "CORS protocol", as those of preflight are.
const allowOrigin = "Access-Control-Allow-Origin"

// preflight answers the question of a browser before a request of a page. It does not say yet which client will ask.
func (s *Server) preflight(c *gin.Context) {
	if c.GetHeader("Origin") == "" || c.GetHeader("Access-Control-Request-Method") == "" {
		s.refuseMethod(c)
		return
	}
	c.Header(allowOrigin, "*")
	c.Header("Access-Control-Allow-Methods", http.MethodPost)
	c.Header("Access-Control-Allow-Headers", "Content-Type")
	c.Header("Access-Control-Max-Age", "7200")
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
}
