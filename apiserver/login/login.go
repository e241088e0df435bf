// Package login finds out who uses the pages. It signs people in by API key or at an OpenID Connect issuer, has them choose an
// account, keeps their session in a sealed cookie, and signs them out.
//
// A package of pages asks Require who is signed in before it shows a page, and Person before it acts on a form.
package login

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"io/fs"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// The paths of the pages, below the address of all pages.
const (
	SignInPath   = "/oauth/sign-in"
	SignOutPath  = "/oauth/sign-out"
	SignedOut    = "/oauth/signed-out"
	AccountPath  = "/oauth/account"
	ProviderPath = "/oauth/oidc"
	CallbackPath = "/oauth/oidc/callback"
)

// visitsPerSecond is the default of Options.VisitsPerSecond. The visits of visitsAtOnce seconds may come at once.
const (
	visitsPerSecond = 5
	visitsAtOnce    = 10
	// backgroundPerSecond bounds what the pages of one person ask for by themselves: each that is visible once a second, and an editor for
	// a preview 2.5 times a second during typing.
	backgroundPerSecond = 20
	// accountPerSecond is how many times the share of a person an account has, and accountAtOnce how many times as much may come at once:
	// every key of an account is a person.
	accountPerSecond, accountAtOnce = 4, 2
	// findTimeout bounds the look-up of a person.
	findTimeout = 5 * time.Second
)

// Authenticator finds out who an API key belongs to.
type Authenticator interface {
	// Authenticate returns auth.ErrUnauthorized, or an error that wraps auth.ErrUnavailable if it cannot say.
	Authenticate(ctx context.Context, credential string) (auth.Principal, error)
	// Known reports whether it can say from memory whether a key is right.
	Known(ctx context.Context, key credential.Credential) bool
}

// People finds out who is behind a session.
type People interface {
	// Find returns ErrSignedOut if the session opens nothing any more.
	Find(ctx context.Context, s Session) (Person, error)
	// Memberships returns the accounts of a person for whom the OpenID Connect issuer has vouched.
	Memberships(ctx context.Context, email string, groups []string) ([]Membership, error)
}

// Options configure a Login.
type Options struct {
	Frame         *pages.Frame
	Authenticator Authenticator
	People        People
	SignOuts      SignOuts
	// Provider signs people in by OpenID Connect; nil if only API keys do.
	Provider Provider
	// Proxies whose X-Forwarded-For is trusted.
	Proxies Proxies
	// Home is the path that signing in leads to if nobody came from another page.
	Home string
	// Links says that links sign people in, which must be so on loopback addresses only.
	Links bool
	// VisitsPerSecond bounds the pages that one person may ask this replica for; those of ten seconds may come at once. The default
	// is 5.
	VisitsPerSecond int
	Log             logr.Logger
}

// An address may fail failuresAtOnce times to sign in, and then once in 15 seconds, with keys that nobody knows.
const (
	failuresPerSecond = 1. / 15
	failuresAtOnce    = 10
)

// Login signs people in and out.
type Login struct {
	Options

	views    *pages.Views
	sessions Sessions
	// failures bound how often kube-apiserver is asked about unknown keys for an address that fails to sign in. Keys in memory are checked
	// anyway, because several people may share an address.
	failures *middleware.Throttle
	// visits are the pages that each person and account asks for, and background is what their pages ask for by themselves: each is a few
	// reads from kube-apiserver.
	visits, background *middleware.Shares
	signOuts           *middleware.Shares
	// once lets each link, and each cookie of a sign-in at the issuer, be used once: the next use would be free when it has expired.
	once *middleware.Throttle
}

var (
	//go:embed templates
	files embed.FS
	//go:embed partials
	partials embed.FS
)

// New returns a Login.
func New(o Options) *Login {
	o.VisitsPerSecond = cmp.Or(o.VisitsPerSecond, visitsPerSecond)
	now := o.Frame.Cookies.Clock
	l := &Login{
		Options: o, views: o.Frame.Views(files), sessions: Sessions{o.Frame.Cookies},
		failures:   middleware.NewThrottle(now, failuresPerSecond, failuresAtOnce),
		visits:     newShares(now, o.VisitsPerSecond),
		background: newShares(now, backgroundPerSecond),
		signOuts:   middleware.NewShares(now, personSignOuts, accountSignOuts),
		once:       middleware.NewThrottle(now, 1/pages.FormLife.Seconds(), 1),
	}
	l.Frame.Whose = l.whose
	return l
}

// newShares returns the shares of visits of which each person has so many a second.
func newShares(c clock.PassiveClock, perSecond int) *middleware.Shares {
	person := middleware.Rate{PerSecond: float64(perSecond), AtOnce: visitsAtOnce * perSecond}
	return middleware.NewShares(c, person, middleware.Rate{
		PerSecond: accountPerSecond * person.PerSecond, AtOnce: accountAtOnce * person.AtOnce,
	})
}

// Mount serves the pages on a router.
func (l *Login) Mount(r gin.IRouter) {
	g := l.Frame.Group(r)
	g.POST(SignInPath, l.signIn)
	g.POST(SignOutPath, l.signOut)
	// Somebody has opened the address of a form.
	leadOn := func(c *gin.Context) { pages.Redirect(c, "/") }
	g.GET(SignInPath, leadOn)
	g.GET(SignOutPath, leadOn)
	g.GET(SignedOut, l.showSignedOut)
	if l.Links {
		g.GET(LinkPath, l.followLink)
	}
	if l.Provider != nil {
		g.POST(ProviderPath, l.startSignIn)
		g.GET(ProviderPath, leadOn)
		g.GET(CallbackPath, l.finishSignIn)
		g.GET(AccountPath, l.showAccounts)
		g.POST(AccountPath, l.chooseAccount)
	}
}

// Views parses the templates of a package of pages, as pages.Frame does. They may use "person" too, which shows a Person and a
// button to sign out.
func (l *Login) Views(files fs.FS) *pages.Views { return l.Frame.Views(partials, files) }

// Person returns who is signed in, or ErrSignedOut. Any other error means that this is not known at the moment, which is no reason
// to have anybody sign in again.
func (l *Login) Person(c *gin.Context) (Person, error) { return l.find(c, l.visits) }

// Background is Person for what a page asks for by itself, such as live updates. It has a share of its own, and takes no visits from
// people.
func (l *Login) Background(c *gin.Context) (Person, error) { return l.find(c, l.background) }

// whose returns whose session a cookie is, whether it opens anything or not; the network that the request comes from without one that we
// have sealed.
func (l *Login) whose(q *http.Request) (h middleware.Holder, signedIn bool) {
	s, ok := l.sessions.Read(q)
	if !ok {
		return middleware.Holder{Account: l.Proxies.Client(q)}, false
	}
	return s.holder(), true
}

// find returns who is signed in, if neither their share nor that of their account has been used up.
func (l *Login) find(c *gin.Context, share *middleware.Shares) (Person, error) {
	s, ok := l.sessions.Read(c.Request)
	if !ok {
		return Person{}, ErrSignedOut
	}
	if h := s.holder(); share.Take(h.Person, h.Account) > 0 {
		return Person{}, pages.ErrTooMany
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), findTimeout)
	defer cancel()
	if ended, err := l.SignOuts.Recorded(ctx, s); err != nil || ended {
		return Person{}, cmp.Or(err, ErrSignedOut)
	}
	p, err := l.People.Find(ctx, s)
	if err != nil {
		return Person{}, err
	}
	p.SessionID = s.ID
	return p, nil
}

// Prompt is the reason that the sign-in page gives.
type Prompt struct {
	// Client begins the sentence: the display name of an OAuth client; empty if none asks.
	Client string
	Text   string
}

// Require returns who is signed in. Otherwise it answers the request itself and returns false: if nobody is signed in, with the
// sign-in page, which leads back to path. The query of path is in the form of url.Values.Encode.
func (l *Login) Require(c *gin.Context, path string, p Prompt) (Person, bool) {
	person, err := l.Person(c)
	switch {
	case err == nil:
		return person, true
	case errors.Is(err, ErrSignedOut):
		l.showSignIn(c, path, p)
	default:
		l.Frame.Unavailable(c, err)
	}
	return Person{}, false
}
