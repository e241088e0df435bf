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
		pages.Redirect(c, l.home)
		return
	}
	memberships, err := l.people.Memberships(c.Request.Context(), s.Email, s.Groups)
	if err != nil {
		l.frame.Unavailable(c, err)
		return
	}
	var v accountsView
	for _, m := range memberships {
		sealed, err := l.frame.SealTicket(purposeAccount, s.ID, m.Account)
		if err != nil {
			l.frame.Unavailable(c, err)
			return
		}
		v.Accounts = append(v.Accounts, accountView{m, sealed})
	}
	l.views.Show(c, http.StatusOK, "account.html", "Choose an account", v)
}

// chooseAccount sets the account that a person acts for. Whether they are a member of it is checked on each request.
func (l *Login) chooseAccount(c *gin.Context) {
	path := l.home
	var to returnTo
	if l.frame.Cookies.Read(c.Request, returnCookie, &to) {
		path = to.path()
		l.frame.Cookies.Remove(c.Writer, returnCookie)
	}
	// Without a session there is no id, and only somebody who has signed in at the issuer is given tickets for accounts.
	s, _ := l.sessions.Read(c.Request)
	t, err := l.frame.OpenTicket(purposeAccount, c.PostForm("ticket"))
	if err != nil || t.Session != s.ID {
		pages.Redirect(c, path)
		return
	}
	s.Account = string(t.Subject)
	if l.sessionStarted(c, path, l.sessions.Change(c.Writer, s)) {
		pages.Redirect(c, path)
	}
}
