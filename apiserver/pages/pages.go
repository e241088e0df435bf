// Package pages is the frame of all HTML pages: their layout and style, the headers that seal them off, tickets that bind a
// form to a session, and notices about problems with a form. Pages work without JavaScript, and GET changes nothing.
//
// A package of pages makes its Views of a Frame, mounts its handlers on the Frame's Group, and asks package login who is
// signed in. The Frame knows nothing of what pages are about.
package pages

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// Options configure a Frame.
type Options struct {
	// Keys seal cookies and tickets.
	Keys  seal.Sealer
	Clock clock.PassiveClock
	// Ready reports whether pages can be shown. They can if it is nil.
	Ready func() bool
	Log   logr.Logger
}

// Frame is shared by all pages of a replica. Its methods may be called from any goroutine.
type Frame struct {
	// Cookies that the browser carries sealed.
	Cookies seal.Cookies
	// Whose says for whom a form is counted, and whether they have signed in, whether the session has ended or not. The network of a
	// stranger stands in place of an account. If it is nil, all are one stranger. It must be set before the first request.
	Whose func(*http.Request) (h middleware.Holder, signedIn bool)

	log    logr.Logger
	ready  func() bool
	origin *http.CrossOriginProtection
	layout *template.Template
	style  template.CSS
	own    *Views
	// forms are the bytes of the forms in progress of people who have signed in, and strangers those of others.
	forms, strangers *middleware.Budget
}

// New returns a Frame.
func New(o Options) *Frame {
	f := &Frame{
		Cookies: seal.Cookies{Keys: o.Keys, Clock: o.Clock}, log: o.Log, origin: http.NewCrossOriginProtection(), ready: o.Ready,
		forms: middleware.NewBudget(formBytes), strangers: middleware.NewBudget(strangerBytes),
	}
	f.readLayout()
	f.own = f.Views()
	return f
}

// Bounds of a page.
type Bounds struct {
	// Form bounds the size of a form, in bytes.
	Form int64
	// Timeout bounds the work for one page, with all requests to kube-apiserver and to an OpenID Connect issuer; 0 means no bound, for
	// streams.
	Timeout time.Duration
	// Admit is called before a form is read, and reports whether the request goes on. If not, it has answered. It may be nil.
	Admit func(*gin.Context) bool
}

// Group returns a router for pages. It sets the headers of all pages, bounds them to 15 s and forms to 32 KiB, which those of a consent
// with the longest state and many workspaces have, refuses forms that another site has sent, and parses the others.
func (f *Frame) Group(r gin.IRouter) gin.IRouter {
	return f.Bounded(r, Bounds{Form: 32 << 10, Timeout: 15 * time.Second})
}

// Bounded is Group with other bounds.
func (f *Frame) Bounded(r gin.IRouter, b Bounds) gin.IRouter {
	return r.Group("", func(c *gin.Context) { f.secure(c, b) })
}

func (f *Frame) secure(c *gin.Context, b Bounds) {
	h := c.Writer.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", policy(""))
	refuse := func(status int, title, text string) {
		f.Message(c, status, title, text)
		c.Abort()
	}
	if f.ready != nil && !f.ready() {
		refuse(http.StatusServiceUnavailable, "Not set up yet", "The operator of this server has to finish setting it up.")
		return
	}
	if err := f.origin.Check(c.Request); err != nil {
		refuse(http.StatusForbidden, "This did not come from our page", "A form was sent here by another site. Nothing has been done.")
		return
	}
	if c.Request.Method == http.MethodPost {
		if b.Admit != nil && !b.Admit(c) {
			c.Abort()
			return
		}
		release, err := f.parseForm(c, b)
		defer release()
		if errors.Is(err, middleware.ErrUsedUp) {
			c.Header("Retry-After", "5")
			refuse(http.StatusTooManyRequests, "Too many forms at once", "Go back, and send the form again in a few seconds.")
			return
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			refuse(http.StatusRequestTimeout, "The form did not arrive in time", "Nothing has been done. Go back, and send it again.")
			return
		}
		if err != nil {
			refuse(http.StatusBadRequest, "The form could not be read", "Go back to the app and start again.")
			return
		}
	}
	if b.Timeout > 0 {
		ctx, cancel := context.WithTimeout(c.Request.Context(), b.Timeout)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
	}
	c.Next()
}

// policy is the Content-Security-Policy of a page with one style. It has no form-action, because Chromium would apply that to
// the addresses of OAuth clients that a form redirects to.
func policy(nonce string) string {
	style := ""
	if nonce != "" {
		style = "style-src 'nonce-" + nonce + "'; "
	}
	return "default-src 'none'; " + style + "base-uri 'none'; frame-ancestors 'none'"
}

// Redirect answers with 303, so that the browser continues by GET: 307 would send the form, with its contents, to somebody else.
func Redirect(c *gin.Context, to string) {
	// Not http.Redirect, which changes the address.
	c.Writer.Header().Set("Location", to)
	c.Status(http.StatusSeeOther)
	c.Writer.WriteHeaderNow()
}

// DisplayName returns a name that a client, an account or a person chose, without characters that could disguise it: control
// characters, marks that change the direction of writing, and invisible letters. If nothing is left that can be seen, it returns the
// fallback.
func DisplayName(name, fallback string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Other_Default_Ignorable_Code_Point),
			r == unicode.ReplacementChar:
			return -1
		default:
			return r
		}
	}, name)
	if clean = strings.Join(strings.Fields(clean), " "); !content.IsVisible(clean) {
		return fallback
	}
	return clean
}
