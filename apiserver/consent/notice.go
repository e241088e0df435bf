package consent

import (
	"crypto/sha256"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/session"
)

// noticeLife is how long a browser carries what was wrong with a form.
const noticeLife = time.Minute

// noticeCookie carries what was wrong with a form over the redirect to the page that shows it. So every page is got by
// GET, and going back to one never asks for a form to be sent again.
var noticeCookie = session.Cookie{Name: "__Host-pressroom-notice", Pieces: 1}

// notice says what was wrong with a form. It is shown once, by the one page that it is for, to the one session that it is for.
type notice struct {
	// Page is the digest of the path that it is for.
	Page [sha256.Size]byte
	// Session that sent the form; empty where nobody has signed in.
	Session string
	Problem string
	// Key says that the problem is with the API key that was given.
	Key bool
	// Ticked is what was ticked on a consent form; nil where that does not matter.
	Ticked *ticked
}

// ticked is what a person left ticked.
type ticked struct {
	Scopes     []v1alpha1.Scope
	All        bool
	Workspaces []string
}

// sendBack answers a form that something is wrong with: the page at path says what.
func (p *Pages) sendBack(c *gin.Context, path string, n notice) {
	n.Page = sha256.Sum256([]byte(path))
	err := p.Store.Carry(c.Writer, noticeCookie, n, noticeLife)
	if errors.Is(err, session.ErrTooLarge) && n.Ticked != nil {
		// To be ticked once more is better than not to be ticked off.
		n.Ticked.Workspaces = nil
		err = p.Store.Carry(c.Writer, noticeCookie, n, noticeLife)
	}
	if err != nil {
		p.unavailable(c, err)
		return
	}
	redirect(c, path)
}

// takeNotice returns the notice for the page at path, if there is one, and takes it from the browser.
func (p *Pages) takeNotice(c *gin.Context, path, sessionID string) notice {
	var n notice
	if !p.Store.Carried(c.Request, noticeCookie, &n) || n.Page != sha256.Sum256([]byte(path)) || n.Session != sessionID {
		return notice{}
	}
	p.Store.Drop(c.Writer, noticeCookie)
	return n
}
