// Package consent has the pages on which a person lets an OAuth client into their account, and takes that back. Nothing happens
// on GET, and a form is worth nothing outside the session and the request that it was made for.
//
// In code it is a client, as in RFC 6749; the pages call it an app.
package consent

import (
	"context"
	"embed"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// The paths of the pages, below the address of all pages.
const (
	// ConsentPath is the authorization endpoint of OAuth.
	ConsentPath = oauth.ConsentPath
	// ConnectedPath lists the clients that a person has let in.
	ConnectedPath = "/oauth/apps"
	RevokePath    = "/oauth/apps/revoke"
)

// Clients finds OAuth clients.
type Clients interface {
	// Get returns oauth.ErrUnknownClient if there is none of this id, and Named if there is none of this name.
	Get(ctx context.Context, clientID string) (*v1alpha1.OAuthClient, error)
	Named(ctx context.Context, name string) (*v1alpha1.OAuthClient, error)
	// HasDocument reports whether a client describes itself in a document at its client id. Open finds such a client for a person of an
	// account, and reads the document for that.
	HasDocument(clientID string) bool
	Open(ctx context.Context, clientID, account, person string) (*v1alpha1.OAuthClient, error)
}

// Grants records consents.
type Grants interface {
	Create(ctx context.Context, r oauth.GrantRequest) (code string, err error)
	List(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error)
	Revoke(ctx context.Context, account, name string) error
	AwaitRevoked(ctx context.Context, account, name string)
}

// Options configure the pages.
type Options struct {
	Frame   *pages.Frame
	Login   *login.Login
	Clients Clients
	Grants  Grants
	// Issuer returns the issuer of OAuth, which answers to clients carry as iss.
	Issuer func() string
	Log    logr.Logger
}

// Pages are the handlers.
type Pages struct {
	Options

	views *pages.Views
}

//go:embed templates
var files embed.FS

// New returns the pages.
func New(o Options) *Pages { return &Pages{o, o.Login.Views(files)} }

// Mount serves the pages on a router.
func (p *Pages) Mount(r gin.IRouter) {
	g := p.Frame.Group(r)
	g.GET(ConsentPath, p.showConsent)
	g.POST(ConsentPath, p.decide)
	g.GET(ConnectedPath, p.showConnected)
	g.POST(RevokePath, p.revoke)
	// Somebody has opened the address of the form.
	g.GET(RevokePath, func(c *gin.Context) { pages.Redirect(c, ConnectedPath) })
}
