package pages

import (
	"crypto/sha256"
	"errors"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// noticeLife is how long a browser carries what was wrong with a form.
const noticeLife = time.Minute

// noticeCookie carries a Notice over the redirect to the page that shows it. So every page is an answer to GET, and going back
// to one never asks whether to send a form again.
var noticeCookie = seal.Cookie{Name: "__Host-pressroom-notice", Pieces: 1}

// Notice describes what has become of a form. It is shown once, on the page that it is for and to the session that sent the form.
type Notice struct {
	// Session that sent the form; empty if nobody has signed in.
	Session string
	// Done says for people what has been done; empty if there is a problem.
	Done string
	// Problem for people.
	Problem string
	// Field names the field with the problem; empty if the problem is with the whole form.
	Field string
	// Form holds what was sent, so that it can be shown again; nil if that does not matter.
	Form url.Values
}

// pageNotice is a Notice with the digest of the path that it is for.
type pageNotice struct {
	Notice

	Page [sha256.Size]byte
}

// SendBack answers a form that something is wrong with: it redirects to the page at path, which shows the notice. If the form
// is too large for a cookie, its largest field is left out: losing that is better than failing.
func (f *Frame) SendBack(c *gin.Context, path string, n Notice) {
	carried := pageNotice{n, sha256.Sum256([]byte(path))}
	err := f.Cookies.Set(c.Writer, noticeCookie, carried, noticeLife)
	if errors.Is(err, seal.ErrTooLarge) && len(n.Form) > 0 {
		delete(n.Form, largest(n.Form))
		err = f.Cookies.Set(c.Writer, noticeCookie, carried, noticeLife)
	}
	if err != nil {
		f.Unavailable(c, err)
		return
	}
	Redirect(c, path)
}

// largest returns the name of the field whose values take the most bytes.
func largest(form url.Values) (field string) {
	most := -1
	for name, values := range form {
		size := 0
		for _, v := range values {
			size += len(v)
		}
		if size > most {
			field, most = name, size
		}
	}
	return field
}

// TakeNotice returns the notice for the page at path and a session, and removes it from the browser. Without one it returns the
// zero Notice.
func (f *Frame) TakeNotice(c *gin.Context, path, sessionID string) Notice {
	var n pageNotice
	if !f.Cookies.Read(c.Request, noticeCookie, &n) || n.Page != sha256.Sum256([]byte(path)) || n.Session != sessionID {
		return Notice{}
	}
	f.Cookies.Remove(c.Writer, noticeCookie)
	return n.Notice
}
