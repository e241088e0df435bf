package login

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/oauth2"

	"github.com/pressroom-dev/pressroom/apiserver/login/oidc"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// Provider is an OpenID Connect issuer.
type Provider interface {
	// Start returns the address to send a browser to.
	Start(ctx context.Context, state, nonce, verifier string) (string, error)
	// Finish exchanges the code that a browser came back with. It returns oidc.ErrRefused if the issuer vouches for nobody.
	Finish(ctx context.Context, code, nonce, verifier string) (oidc.Identity, error)
}

// stateLife is how long a browser may be at the issuer.
const stateLife = 10 * time.Minute

var (
	// stateCookie is carried while the browser is at the issuer, and returnCookie while somebody chooses an account. With the
	// longest state and the longest redirect URI of an OAuth client, each takes two pieces.
	stateCookie  = seal.Cookie{Name: "__Host-pressroom-oidc-state", Pieces: 2}
	returnCookie = seal.Cookie{Name: "__Host-pressroom-return", Pieces: 2}
)

// oidcState is one sign-in at the issuer. Only the browser that carries it can finish the sign-in.
type oidcState struct {
	State, Nonce, Verifier string
	Return                 returnTo
}

// returnTo is a path of the pages with its query decoded, which takes up to three times fewer bytes.
type returnTo struct {
	Path  string
	Query url.Values
}

func returnToPath(path string) returnTo {
	path, query, _ := strings.Cut(path, "?")
	// Anyone who required the sign-in has encoded the query.
	values, _ := url.ParseQuery(query)
	return returnTo{path, values}
}

func (r returnTo) path() string {
	if len(r.Query) == 0 {
		return r.Path
	}
	return r.Path + "?" + r.Query.Encode()
}

// startSignIn sends the browser to the issuer.
func (l *Login) startSignIn(c *gin.Context) {
	s := oidcState{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Return: returnToPath(l.returnPath(c)),
	}
	to, err := l.Provider.Start(c.Request.Context(), s.State, s.Nonce, s.Verifier)
	if err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	if err := l.Frame.Cookies.Set(c.Writer, stateCookie, s, stateLife); err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	l.Frame.Cookies.Remove(c.Writer, returnCookie)
	pages.Redirect(c, to)
}

// finishSignIn receives the browser from the issuer.
func (l *Login) finishSignIn(c *gin.Context) {
	var s oidcState
	ok := l.Frame.Cookies.Read(c.Request, stateCookie, &s)
	l.Frame.Cookies.Remove(c.Writer, stateCookie)
	state := c.Query("state")
	// A code is a request to the issuer, so that a cookie takes one.
	if !ok || subtle.ConstantTimeCompare([]byte(state), []byte(s.State)) != 1 || l.once.Take(s.State) > 0 {
		l.Frame.Message(c, http.StatusBadRequest, "This sign-in is not yours, or took too long",
			"Nothing has been done. Go back to the app and start again.")
		return
	}
	code := c.Query("code")
	if code == "" {
		l.refuse(c, s.Return.path(), "Your organisation has not signed you in.")
		return
	}
	who, err := l.Provider.Finish(c.Request.Context(), code, s.Nonce, s.Verifier)
	if errors.Is(err, oidc.ErrRefused) {
		l.Log.Info("a sign-in was refused", "error", err.Error())
		l.refuse(c, s.Return.path(), "Your organisation has not vouched for your e-mail address.")
		return
	}
	if err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	l.completeSignIn(c, who, s.Return.path())
}

// completeSignIn starts the session of a person for whom the issuer has vouched.
func (l *Login) completeSignIn(c *gin.Context, who oidc.Identity, path string) {
	memberships, err := l.People.Memberships(c.Request.Context(), who.Email, who.Groups)
	if err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	if len(memberships) == 0 {
		l.refuse(c, path, "Your organisation vouches for "+pages.DisplayName(who.Email, "you")+", which is not a member of any account. "+
			"Ask the administrator of your account to add this address.")
		return
	}
	s := Session{Issuer: who.Issuer, Email: who.Email, Groups: groupsOf(memberships)}
	if len(memberships) == 1 {
		s.Account = memberships[0].Account
	}
	if !l.sessionStarted(c, path, l.sessions.Start(c.Writer, s)) {
		return
	}
	if s.Account != "" {
		pages.Redirect(c, path)
		return
	}
	if err := l.Frame.Cookies.Set(c.Writer, returnCookie, returnToPath(path), pages.FormLife); err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	pages.Redirect(c, AccountPath)
}

// sessionStarted reports whether a member's session was set. Otherwise it answers the request itself.
func (l *Login) sessionStarted(c *gin.Context, path string, err error) bool {
	switch {
	case err == nil:
		return true
	case errors.Is(err, seal.ErrTooLarge):
		// Leaving groups out would silently take rights away.
		l.refuse(c, path, "You are in too many groups that accounts name. "+
			"Ask the administrator of your account to add your e-mail address in place of them.")
	default:
		l.Frame.Unavailable(c, err)
	}
	return false
}

// groupsOf returns the groups that accounts name, each once.
func groupsOf(memberships []Membership) []string {
	var groups []string
	for _, m := range memberships {
		groups = append(groups, m.Groups...)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}
