package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/login"
)

// serve answers a request for a route. The order of the checks is that of the REST API: who it is, what is open to them, what they may.
// A form has a token, too.
func (d *Dashboard) serve(c *gin.Context, r route) {
	person, ok := d.signedIn(c)
	if !ok {
		return
	}
	params := map[string]string{}
	for _, p := range c.Params {
		params[p.Key] = p.Value
	}
	v, err := d.visit(c.Request, params, person)
	if err != nil {
		d.frame.Unavailable(c, err)
		return
	}
	d.send(c, v, d.answer(v, r))
}

// NoPage answers a path below Root that no page has, and reports whether it has.
func (d *Dashboard) NoPage(c *gin.Context) bool {
	if !strings.HasPrefix(c.Request.URL.Path, Root+"/") {
		return false
	}
	d.frame.Message(c, http.StatusNotFound, "Not found", "There is no page of this address.")
	return true
}

// signedIn returns who sends a request. Otherwise it answers by itself: with the page on which people sign in, or with one that keeps
// the form that was sent.
func (d *Dashboard) signedIn(c *gin.Context) (login.Person, bool) {
	if c.Request.Method == http.MethodGet {
		return d.login.Require(c, pathOf(c.Request.URL), login.Prompt{Text: "Sign in to review and publish the articles of your account."})
	}
	person, err := d.login.Person(c)
	switch {
	case err == nil:
		return person, true
	case errors.Is(err, login.ErrSignedOut):
		v := &visit{dashboard: d, request: c.Request, url: c.Request.URL, settings: d.settings(c.Request)}
		d.send(c, v, v.keep(true).with(http.StatusUnauthorized))
	default:
		d.frame.Unavailable(c, err)
	}
	return login.Person{}, false
}

// answer returns the answer of a route to a visit, whatever goes wrong.
func (d *Dashboard) answer(v *visit, r route) *answer {
	if _, ok := v.params["workspace"]; ok && v.workspace == "" {
		return v.notFound()
	}
	if r.scope != anyScope && !v.may(r.scope) {
		return v.forbidden(r.scope)
	}
	if r.method != http.MethodGet {
		if refused := v.checkTicket(); refused != nil {
			return refused
		}
	}
	a, err := r.handle(v)
	if err != nil {
		return v.failure(err)
	}
	return a
}
