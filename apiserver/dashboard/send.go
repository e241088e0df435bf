package dashboard

import (
	"bytes"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// policy is the Content-Security-Policy of the pages: everything comes from here, nothing runs that is not in our script, and HTML
// becomes part of a page through one policy of the script alone (Trusted Types). With a nonce, the script may add styles that have it.
func policy(nonce string) string {
	style := "'self'"
	if nonce != "" {
		style += " 'nonce-" + nonce + "'"
	}
	return "default-src 'none'; script-src 'self'; style-src " + style + "; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dashboard"
}

func (d *Dashboard) send(c *gin.Context, r route, v *page.Visit, a *page.Answer) {
	// What a page fetches by itself nobody has opened.
	if a.Cookies != nil && !page.IsUpdate(c.Request) {
		if err := a.Cookies(c.Writer); err != nil {
			d.Frame.Unavailable(c, err)
			return
		}
	}
	switch {
	case a.Location == "":
		if err := d.sendPage(c, r, v, a); err != nil {
			d.Frame.Unavailable(c, err)
		}
	case a.Notice.Done != "" || a.Notice.Problem != "":
		d.Frame.SendBack(c, a.Location, a.Notice)
	default:
		pages.Redirect(c, a.Location)
	}
}

// sendPage sends the page of an answer, unless it cannot be made.
func (d *Dashboard) sendPage(c *gin.Context, r route, v *page.Visit, a *page.Answer) error {
	var text bytes.Buffer
	if err := r.templates.ExecuteTemplate(&text, a.Template, d.templateData(c, v, a)); err != nil {
		return err
	}
	c.Header("Content-Security-Policy", policy(a.StyleNonce))
	c.Header("Content-Type", "text/html; charset=utf-8")
	maps.Copy(c.Writer.Header(), a.Header)
	d.compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(a.Status)
		_, _ = w.Write(text.Bytes())
	}))(c.Writer, c.Request)
	return nil
}

func (d *Dashboard) templateData(c *gin.Context, v *page.Visit, a *page.Answer) any {
	if a.Bare {
		return a.Body
	}
	var notice pages.Notice
	if !page.IsUpdate(c.Request) {
		notice = d.Frame.TakeNotice(c, v.Here(), v.Person.SessionID)
	}
	return page.NewLayout(v, a, notice)
}
