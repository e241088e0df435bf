package consent

import (
	"errors"
	"fmt"
	"net/http"
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
	// KeyProblem says that the problem is with the key.
	KeyProblem bool
}

// showSignIn asks who somebody is. path is where signing in leads, which is where the page is shown too.
func (p *Pages) showSignIn(c *gin.Context, path string, app *appView) {
	sealed, err := p.seal(purposeReturn, "", path)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	n := p.takeNotice(c, path, "")
	p.show(c, http.StatusOK, "signin.html", "Sign in", signInView{
		App: app, Provider: p.Provider != nil, Return: sealed, Problem: n.Problem, KeyProblem: n.Key,
	})
}

// signIn exchanges an API key for a session. The key itself is kept nowhere.
func (p *Pages) signIn(c *gin.Context) {
	path := p.returnPath(c.PostForm("return"))
	given := strings.TrimSpace(c.PostForm("key"))
	key, malformed := credential.Parse(given)
	// By address alone: the id of a key is no secret, and whoever knows it could keep its holder out.
	from := p.Proxies.Client(c.Request)
	if wait := p.throttle.Wait(from); wait > 0 {
		seconds := int((wait + time.Second - 1) / time.Second)
		p.refuseSignIn(c, path, fmt.Sprintf("Too many failed tries. Try again in %d seconds.", seconds))
		return
	}
	// An app's token is no person: what it could consent to would outlive it.
	if malformed != nil || key.Type != credential.APIKey {
		p.refuseKey(c, path, from)
		return
	}
	principal, err := p.Authenticator.Authenticate(c.Request.Context(), given)
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		p.refuseKey(c, path, from)
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

func (p *Pages) refuseKey(c *gin.Context, path, from string) {
	p.throttle.Failed(from)
	p.sendBack(c, path, notice{Key: true, Problem: "This is not a valid API key. Check that you have copied all of it."})
}

// refuseSignIn says on the sign-in page why somebody is not signed in.
func (p *Pages) refuseSignIn(c *gin.Context, path, problem string) {
	p.sendBack(c, path, notice{Problem: problem})
}

// signOut takes the session's cookie away.
func (p *Pages) signOut(c *gin.Context) {
	p.Store.End(c.Writer)
	redirect(c, SignedOut)
}

func (p *Pages) showSignedOut(c *gin.Context) {
	p.show(c, http.StatusOK, "signedout.html", "You are signed out", nil)
}
