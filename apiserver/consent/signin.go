package consent

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/session"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// signInView is what the sign-in page shows.
type signInView struct {
	// App that asks, or nil.
	App *appView
	// Provider says that OpenID Connect can be used.
	Provider bool
	Return   string
	Problem  string
}

// showSignIn asks who somebody is. path is where signing in leads.
func (p *Pages) showSignIn(c *gin.Context, status int, path string, app *appView, problem string) {
	sealed, err := p.seal(purposeReturn, "", path)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	p.show(c, status, "signin.html", "Sign in", signInView{App: app, Provider: p.Provider != nil, Return: sealed, Problem: problem})
}

// signIn exchanges an API key for a session. The key itself is kept nowhere.
func (p *Pages) signIn(c *gin.Context) {
	path := p.returnPath(c.PostForm("return"))
	given := strings.TrimSpace(c.PostForm("key"))
	key, malformed := credential.Parse(given)
	whom := []string{"from " + p.Proxies.Client(c.Request)}
	if malformed == nil {
		whom = append(whom, "key "+key.ID)
	}
	if wait := p.throttle.Wait(whom...); wait > 0 {
		seconds := int((wait + time.Second - 1) / time.Second)
		c.Header("Retry-After", strconv.Itoa(seconds))
		p.showSignIn(c, http.StatusTooManyRequests, path, nil, fmt.Sprintf("Too many failed tries. Try again in %d seconds.", seconds))
		return
	}
	// An app's token is no person: what it could consent to would outlive it.
	if malformed != nil || key.Type != credential.APIKey {
		p.refuseSignIn(c, path, whom)
		return
	}
	principal, err := p.Authenticator.Authenticate(c.Request.Context(), given)
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		p.refuseSignIn(c, path, whom)
		return
	case err != nil:
		p.unavailable(c, err)
		return
	}
	if err := p.Store.Start(c.Writer, session.Session{KeyID: key.ID, Account: principal.Account}); err != nil {
		p.unavailable(c, err)
		return
	}
	redirect(c, path)
}

func (p *Pages) refuseSignIn(c *gin.Context, path string, whom []string) {
	p.throttle.Failed(whom...)
	p.showSignIn(c, http.StatusUnauthorized, path, nil, "This is not a valid API key. Check that you have copied all of it.")
}

// signOut takes the session's cookie away.
func (p *Pages) signOut(c *gin.Context) {
	p.Store.End(c.Writer)
	p.message(c, http.StatusOK, "You are signed out", "Apps that you have let in keep their access until you remove it.")
}
