// Package consent has the pages on which a person signs in, lets an app into their account, and takes that back. They work
// without JavaScript. Nothing happens on GET, and a form is worth nothing outside the session and the request that it was
// made for.
package consent

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
)

// The paths of the pages, below the app's address.
const (
	ConsentPath  = "/oauth/consent"
	SignInPath   = "/oauth/sign-in"
	SignOutPath  = "/oauth/sign-out"
	SignedOut    = "/oauth/signed-out"
	AppsPath     = "/oauth/apps"
	RevokePath   = "/oauth/apps/revoke"
	AccountPath  = "/oauth/account"
	ProviderPath = "/oauth/oidc"
	CallbackPath = "/oauth/oidc/callback"
)

// Clients finds apps.
type Clients interface {
	// Get returns oauth.ErrUnknownClient where there is none of this id.
	Get(ctx context.Context, clientID string) (*v1alpha1.OAuthClient, error)
}

// Grants records consents.
type Grants interface {
	Create(ctx context.Context, r oauth.GrantRequest) (code string, err error)
	List(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error)
	Revoke(ctx context.Context, name string) error
}

// Authenticator says who an API key belongs to.
type Authenticator interface {
	// Authenticate returns auth.ErrUnauthorized or auth.ErrUnavailable where it cannot say.
	Authenticate(ctx context.Context, credential string) (auth.Principal, error)
}

// People says who is behind a session.
type People interface {
	// Find returns people.ErrGone where nobody is any more.
	Find(ctx context.Context, s session.Session) (people.Person, error)
	// Memberships returns the accounts of somebody whom the OpenID Connect issuer has vouched for.
	Memberships(ctx context.Context, email string, groups []string) ([]people.Membership, error)
}

// Deps are what the pages are made of.
type Deps struct {
	Clients       Clients
	Grants        Grants
	Authenticator Authenticator
	People        People
	// Workspaces returns the names of an account's workspaces.
	Workspaces func(account string) []string
	Store      session.Store
	// Proxies are believed about where a request comes from.
	Proxies session.Proxies
	// Issuer returns the issuer of OAuth, which answers carry as iss.
	Issuer func() string
	// Provider signs people in by OpenID Connect; nil where API keys alone do.
	Provider Provider
	Log      logr.Logger
}

// Pages are the handlers.
type Pages struct {
	Deps

	throttle *session.Throttle
	origin   *http.CrossOriginProtection
	views    *views
}

// New returns the pages.
func New(d Deps) (*Pages, error) {
	v, err := newViews()
	if err != nil {
		return nil, err
	}
	return &Pages{
		Deps: d, throttle: session.NewThrottle(d.Store.Clock), origin: http.NewCrossOriginProtection(), views: v,
	}, nil
}

// Mount serves the pages on a router.
func (p *Pages) Mount(r gin.IRouter) {
	g := r.Group("", p.secured)
	g.GET(ConsentPath, p.showConsent)
	g.POST(ConsentPath, p.decide)
	g.POST(SignInPath, p.signIn)
	g.POST(SignOutPath, p.signOut)
	g.GET(SignedOut, p.showSignedOut)
	g.GET(AppsPath, p.showApps)
	g.POST(RevokePath, p.revoke)
	if p.Provider != nil {
		g.POST(ProviderPath, p.leave)
		g.GET(CallbackPath, p.arrive)
		g.GET(AccountPath, p.showAccounts)
		g.POST(AccountPath, p.chooseAccount)
	}
}

// maxForm bounds what a form may send, in bytes.
const maxForm = 128 << 10

// secured sets what all pages have in common, and refuses forms that come from elsewhere.
func (p *Pages) secured(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", policy(""))
	if err := p.origin.Check(c.Request); err != nil {
		p.message(c, http.StatusForbidden, "This did not come from our page",
			"A form was sent here by another site. Nothing has been done.")
		c.Abort()
		return
	}
	if c.Request.Method == http.MethodPost {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxForm)
		if err := c.Request.ParseForm(); err != nil {
			p.message(c, http.StatusBadRequest, "The form could not be read", "Go back to the app and start again.")
			c.Abort()
		}
	}
}

// policy is the Content-Security-Policy of a page with one style. It has no form-action: Chromium would apply that to where
// the app sends people on.
func policy(nonce string) string {
	style := ""
	if nonce != "" {
		style = "style-src 'nonce-" + nonce + "'; "
	}
	return "default-src 'none'; " + style + "base-uri 'none'; frame-ancestors 'none'"
}

// redirect sends the browser on by GET, whatever it came by: 307 would send the form, with what it holds, to somebody else.
func redirect(c *gin.Context, to string) {
	// Not http.Redirect, which changes the address.
	c.Writer.Header().Set("Location", to)
	c.Status(http.StatusSeeOther)
	c.Writer.WriteHeaderNow()
}
