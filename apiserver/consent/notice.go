package consent

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// noticeCookie carries what was wrong with a form over the redirect to the page that shows it. So every page is got by
	// GET, and going back to one never asks for a form to be sent again.
	noticeCookie = "__Host-pressroom-notice"
	noticeLife   = time.Minute
	// maxNotice keeps the sealed cookie below the 4096 bytes that browsers take.
	maxNotice = 2800
)

// notice says what was wrong with a form. It is shown once, by the one page that it is for, to the one session that it is for.
type notice struct {
	// Page is the digest of the path that it is for.
	Page [sha256.Size]byte `json:"page"`
	// Session that sent the form; empty where nobody has signed in.
	Session string `json:"session,omitempty"`
	Problem string `json:"problem"`
	// Key says that the problem is with the API key that was given.
	Key bool `json:"key,omitempty"`
	// Ticked is what was ticked on a consent form; nil where that does not matter.
	Ticked *ticked `json:"ticked,omitempty"`
}

// ticked is what a person left ticked.
type ticked struct {
	Scopes     []v1alpha1.Scope `json:"scopes,omitempty"`
	All        bool             `json:"all,omitempty"`
	Workspaces []string         `json:"workspaces,omitempty"`
}

// sendBack answers a form that something is wrong with: the page at path says what.
func (p *Pages) sendBack(c *gin.Context, path string, n notice) {
	n.Page = sha256.Sum256([]byte(path))
	text, err := json.Marshal(n)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	if len(text) > maxNotice && n.Ticked != nil {
		// More than a cookie holds. To be ticked once more is better than not to be ticked off.
		n.Ticked.Workspaces = nil
	}
	if err := p.Store.Carry(c.Writer, noticeCookie, n, noticeLife); err != nil {
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
