package login

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

const (
	purposeReturn = "return"
	// fieldKey is the field of the API key.
	fieldKey = "key"
)

// signInView is the data of the sign-in page.
type signInView struct {
	Prompt Prompt
	// Provider means that OpenID Connect can be used.
	Provider bool
	Return   string
	Problem  string
	// KeyProblem means that the problem is with the key.
	KeyProblem bool
}

// showSignIn shows the page on which people sign in. Signing in leads back to path.
func (l *Login) showSignIn(c *gin.Context, path string, p Prompt) {
	sealed, err := l.Frame.SealTicket(purposeReturn, "", path)
	if err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	n := l.Frame.TakeNotice(c, path, "")
	l.views.Show(c, http.StatusOK, "signin.html", "Sign in", signInView{
		Prompt: p, Provider: l.Provider != nil, Return: sealed, Problem: n.Problem, KeyProblem: n.Field == fieldKey,
	})
}

// returnPath opens the path that signing in leads back to, however old its ticket is. Without a ticket that is Home.
func (l *Login) returnPath(c *gin.Context) string {
	t, err := l.Frame.OpenTicket(purposeReturn, c.PostForm("return"))
	if err != nil && !errors.Is(err, pages.ErrStale) {
		return l.Home
	}
	return string(t.Subject)
}

// signIn exchanges an API key for a session. The key itself is not stored.
func (l *Login) signIn(c *gin.Context) {
	path := l.returnPath(c)
	given := strings.TrimSpace(c.PostForm(fieldKey))
	key, malformed := credential.Parse(given)
	// A client's token is not a person: what it could consent to would outlive it.
	if malformed != nil || key.Type != credential.APIKey {
		l.refuseKey(c, path)
		return
	}
	// A right key is never refused because of wrong ones from the same address: what can be checked from memory is.
	wait := l.failures.Wait(l.Proxies.Client(c.Request))
	if wait > 0 && !l.Authenticator.Known(c.Request.Context(), key) {
		l.refuse(c, path, fmt.Sprintf("Too many failed tries. Try again in %d seconds.", int((wait+time.Second-1)/time.Second)))
		return
	}
	principal, err := l.Authenticator.Authenticate(c.Request.Context(), given)
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		l.refuseKey(c, path)
		return
	case err != nil:
		l.Frame.Unavailable(c, err)
		return
	}
	if err := l.sessions.Start(c.Writer, Session{KeyID: key.ID, KeyUID: principal.KeyUID, Account: principal.Account}); err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	pages.Redirect(c, path)
}

func (l *Login) refuseKey(c *gin.Context, path string) {
	l.failures.Take(l.Proxies.Client(c.Request))
	l.Frame.SendBack(c, path, pages.Notice{
		Field: fieldKey, Problem: "This is not a valid API key. Check that you have copied all of it.",
	})
}

// refuse shows on the sign-in page why signing in has failed.
func (l *Login) refuse(c *gin.Context, path, problem string) {
	l.Frame.SendBack(c, path, pages.Notice{Problem: problem})
}

func (l *Login) showSignedOut(c *gin.Context) {
	l.views.Show(c, http.StatusOK, "signedout.html", "You are signed out", l.Home)
}
