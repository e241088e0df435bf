package login

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

const purposeAccount = "account form"

// accountsView is the data of the page for choosing an account.
type accountsView struct{ Accounts []accountView }

type accountView struct {
	Membership

	Ticket string
}

func (l *Login) showAccounts(c *gin.Context) {
	s, ok := l.sessions.Read(c.Request)
	if !ok || s.Email == "" {
		pages.Redirect(c, l.Home)
		return
	}
	memberships, err := l.People.Memberships(c.Request.Context(), s.Email, s.Groups)
	if err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	var v accountsView
	for _, m := range memberships {
		sealed, err := l.Frame.SealTicket(purposeAccount, s.ID, m.Account)
		if err != nil {
			l.Frame.Unavailable(c, err)
			return
		}
		v.Accounts = append(v.Accounts, accountView{m, sealed})
	}
	l.views.Show(c, http.StatusOK, "account.html", "Choose an account", v)
}

// chooseAccount sets the account that a person acts for. Whether they are a member of it is checked on each request.
func (l *Login) chooseAccount(c *gin.Context) {
	path := l.Home
	var to returnTo
	if l.Frame.Cookies.Read(c.Request, returnCookie, &to) {
		path = to.path()
		l.Frame.Cookies.Remove(c.Writer, returnCookie)
	}
	// Without a session there is no id, and only somebody who has signed in at the issuer is given tickets for accounts.
	s, _ := l.sessions.Read(c.Request)
	t, err := l.Frame.OpenTicket(purposeAccount, c.PostForm("ticket"))
	if err != nil || t.Session != s.ID {
		pages.Redirect(c, path)
		return
	}
	s.Account = string(t.Subject)
	if l.sessionStarted(c, path, l.sessions.Change(c.Writer, s)) {
		pages.Redirect(c, path)
	}
}
