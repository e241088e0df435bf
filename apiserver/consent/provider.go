package consent

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
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

const (
	// tripCookie is what the browser carries while it is at the issuer.
	tripCookie = "__Host-pressroom-trip"
	// tripLife is how long it may be there.
	tripLife = 10 * time.Minute
)

// trip is one sign-in at the issuer. Only the browser that has set out with it can come back.
type trip struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
	Return   []byte `json:"return"`
}

// leave sends the browser to the issuer.
func (p *Pages) leave(c *gin.Context) {
	t := trip{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		Return: []byte(p.returnPath(c.PostForm("return"))),
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
		p.refuseSignIn(c, string(t.Return), "Your organisation has not signed you in.")
		return
	}
	who, err := p.Provider.Finish(c.Request.Context(), code, t.Nonce, t.Verifier)
	if errors.Is(err, oidc.ErrRefused) {
		p.Log.Info("a sign-in was refused", "error", err.Error())
		p.refuseSignIn(c, string(t.Return), "Your organisation has not vouched for your e-mail address.")
		return
	}
	if err != nil {
		p.unavailable(c, err)
		return
	}
	p.welcome(c, who, string(t.Return))
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
	if err := p.Store.Start(c.Writer, s); err != nil {
		p.unavailable(c, err)
		return
	}
	if s.Account != "" {
		redirect(c, path)
		return
	}
	sealed, err := p.seal(purposeReturn, "", path)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	redirect(c, AccountPath+"?return="+sealed)
}

// maxGroups bounds what a session's cookie carries of them.
const maxGroups = 10

// groupsOf returns the groups that accounts name, each once.
func groupsOf(memberships []people.Membership) []string {
	var groups []string
	for _, m := range memberships {
		groups = append(groups, m.Groups...)
	}
	slices.Sort(groups)
	groups = slices.Compact(groups)
	return groups[:min(len(groups), maxGroups)]
}

// accountsView is what the page for choosing an account shows.
type accountsView struct {
	Accounts []accountView
	Return   string
}

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
	v := accountsView{Return: c.Query("return")}
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
	path := p.returnPath(c.PostForm("return"))
	// Without a session there is no id, and only who has come from the issuer is given tickets for accounts.
	s, _ := p.Store.Read(c.Request)
	t, err := p.open(purposeAccount, c.PostForm("ticket"))
	if err != nil || t.Session != s.ID {
		redirect(c, path)
		return
	}
	s.Account = string(t.Subject)
	if err := p.Store.Change(c.Writer, s); err != nil {
		p.unavailable(c, err)
		return
	}
	redirect(c, path)
}
