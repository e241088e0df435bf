package consent

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

	"github.com/pressroom-dev/pressroom/apiserver/oidc"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
)

// Provider is an OpenID Connect issuer.
type Provider interface {
	// Start returns the address to send a browser to.
	Start(ctx context.Context, state, nonce, verifier string) (string, error)
	// Finish exchanges the code that a browser came back with; oidc.ErrRefused where the issuer vouches for nobody.
	Finish(ctx context.Context, code, nonce, verifier string) (oidc.Identity, error)
}

// tripLife is how long a browser may be at the issuer.
const tripLife = 10 * time.Minute

var (
	// tripCookie is what the browser carries while it is at the issuer, and returnCookie while somebody chooses an account. With
	// the longest state and the longest redirect URI they take two pieces.
	tripCookie   = session.Cookie{Name: "__Host-pressroom-trip", Pieces: 2}
	returnCookie = session.Cookie{Name: "__Host-pressroom-return", Pieces: 2}
)

// trip is one sign-in at the issuer. Only the browser that has set out with it can come back.
type trip struct {
	State, Nonce, Verifier string
	Return                 place
}

// place is a path of ours, with its query's bytes as they are: percent-encoded, each may take three.
type place struct {
	Path  string
	Query url.Values
}

func placeOf(path string) place {
	path, query, _ := strings.Cut(path, "?")
	// The query is one that we have made.
	params, _ := parameters(query)
	return place{path, params}
}

func (p place) path() string {
	if len(p.Query) == 0 {
		return p.Path
	}
	return p.Path + "?" + p.Query.Encode()
}

// leave sends the browser to the issuer.
func (p *Pages) leave(c *gin.Context) {
	t := trip{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		Return: placeOf(p.returnPath(c.PostForm("return"))),
	}
	to, err := p.Provider.Start(c.Request.Context(), t.State, t.Nonce, t.Verifier)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	if err := p.Store.Carry(c.Writer, tripCookie, t, tripLife); err != nil {
		p.unavailable(c, err)
		return
	}
	p.Store.Drop(c.Writer, returnCookie)
	redirect(c, to)
}

// arrive takes the browser back.
func (p *Pages) arrive(c *gin.Context) {
	var t trip
	ok := p.Store.Carried(c.Request, tripCookie, &t)
	p.Store.Drop(c.Writer, tripCookie)
	state := c.Query("state")
	if !ok || subtle.ConstantTimeCompare([]byte(state), []byte(t.State)) != 1 {
		p.message(c, http.StatusBadRequest, "This sign-in is not yours, or took too long",
			"Nothing has been done. Go back to the app and start again.")
		return
	}
	code := c.Query("code")
	if code == "" {
		p.refuseSignIn(c, t.Return.path(), "Your organisation has not signed you in.")
		return
	}
	who, err := p.Provider.Finish(c.Request.Context(), code, t.Nonce, t.Verifier)
	if errors.Is(err, oidc.ErrRefused) {
		p.Log.Info("a sign-in was refused", "error", err.Error())
		p.refuseSignIn(c, t.Return.path(), "Your organisation has not vouched for your e-mail address.")
		return
	}
	if err != nil {
		p.unavailable(c, err)
		return
	}
	p.welcome(c, who, t.Return.path())
}

// welcome signs somebody in whom the issuer has vouched for.
func (p *Pages) welcome(c *gin.Context, who oidc.Identity, path string) {
	memberships, err := p.People.Memberships(c.Request.Context(), who.Email, who.Groups)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	if len(memberships) == 0 {
		p.refuseSignIn(c, path, "Your organisation vouches for "+shown(who.Email)+", which is not a member of any account. "+
			"Ask whoever runs your account to add this address.")
		return
	}
	s := session.Session{Issuer: who.Issuer, Email: who.Email, Groups: groupsOf(memberships)}
	if len(memberships) == 1 {
		s.Account = memberships[0].Account
	}
	if !p.began(c, path, p.Store.Start(c.Writer, s)) {
		return
	}
	if s.Account != "" {
		redirect(c, path)
		return
	}
	if err := p.Store.Carry(c.Writer, returnCookie, placeOf(path), formLife); err != nil {
		p.unavailable(c, err)
		return
	}
	redirect(c, AccountPath)
}

// began reports whether a member's session was set. Where it was not, it answers itself.
func (p *Pages) began(c *gin.Context, path string, err error) bool {
	switch {
	case err == nil:
		return true
	case errors.Is(err, session.ErrTooLarge):
		// To leave groups out would be to take rights away without a word.
		p.refuseSignIn(c, path, "You are in too many groups that accounts name. "+
			"Ask whoever runs your account to add your e-mail address in place of them.")
	default:
		p.unavailable(c, err)
	}
	return false
}

// groupsOf returns the groups that accounts name, each once.
func groupsOf(memberships []people.Membership) []string {
	var groups []string
	for _, m := range memberships {
		groups = append(groups, m.Groups...)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// accountsView is what the page for choosing an account shows.
type accountsView struct{ Accounts []accountView }

type accountView struct{ Name, Ticket string }

func (p *Pages) showAccounts(c *gin.Context) {
	s, ok := p.Store.Read(c.Request)
	if !ok || s.Email == "" {
		redirect(c, AppsPath)
		return
	}
	memberships, err := p.People.Memberships(c.Request.Context(), s.Email, s.Groups)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	var v accountsView
	for _, m := range memberships {
		sealed, err := p.seal(purposeAccount, s.ID, m.Account)
		if err != nil {
			p.unavailable(c, err)
			return
		}
		v.Accounts = append(v.Accounts, accountView{shown(m.AccountName), sealed})
	}
	p.show(c, http.StatusOK, "account.html", "Choose an account", v)
}

// chooseAccount says which account a person acts for. That they are a member is checked each time it matters.
func (p *Pages) chooseAccount(c *gin.Context) {
	path := AppsPath
	var to place
	if p.Store.Carried(c.Request, returnCookie, &to) {
		path = to.path()
		p.Store.Drop(c.Writer, returnCookie)
	}
	// Without a session there is no id, and only who has come from the issuer is given tickets for accounts.
	s, _ := p.Store.Read(c.Request)
	t, err := p.open(purposeAccount, c.PostForm("ticket"))
	if err != nil || t.Session != s.ID {
		redirect(c, path)
		return
	}
	s.Account = string(t.Subject)
	if p.began(c, path, p.Store.Change(c.Writer, s)) {
		redirect(c, path)
	}
}
