package dashboard

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
)

// keySender is that of a request's sender.
const keySender = "sender"

// sender is who sends a form, or why that is not known.
type sender struct {
	person login.Person
	err    error
}

// admit reports whether a form is read: its sender must have access to the workspace, and the scope of the route. It answers a sender who
// has not. The form of somebody who is not signed in is read too, because it is kept until they have signed in.
func (d *Dashboard) admit(c *gin.Context, r route) bool {
	whose := d.Login.Person
	if r.Operation == generation.Preview.ID || r.Path == article.PathPaste {
		// The script of the page sends these forms while somebody types.
		whose = d.Login.Background
	}
	person, err := whose(c)
	c.Set(keySender, sender{person, err})
	if err != nil {
		return true
	}
	v := d.visit(c, person)
	refused := refusal(v, r)
	if refused != nil {
		d.send(c, r, v, refused)
	}
	return refused == nil
}

// serve answers a request for a route. The order of the checks is that of the REST API: who it is, what is open to them, what they may.
// A form has a token, too.
func (d *Dashboard) serve(c *gin.Context, r route) {
	person, ok := d.signedIn(c, r)
	if !ok {
		return
	}
	v := d.visit(c, person)
	d.send(c, r, v, d.answer(v, r))
}

func (d *Dashboard) visit(c *gin.Context, person login.Person) *page.Visit {
	params := map[string]string{}
	for _, p := range c.Params {
		params[p.Key] = p.Value
	}
	return page.NewVisit(d.deps, c.Request, params, person)
}

// NoPage answers a path below Root that no page has, and reports whether it has.
func (d *Dashboard) NoPage(c *gin.Context) bool {
	if !strings.HasPrefix(c.Request.URL.Path, page.Root+"/") {
		return false
	}
	d.Frame.Message(c, http.StatusNotFound, "Not found", "There is no page of this address.")
	return true
}

// signedIn returns who sends a request. Otherwise it answers by itself: with the page on which people sign in, or with one that keeps
// the form that was sent.
func (d *Dashboard) signedIn(c *gin.Context, r route) (login.Person, bool) {
	if page.IsUpdate(c.Request) {
		person, err := d.Login.Background(c)
		if err != nil {
			c.Status(refusedStatus(err))
		}
		return person, err == nil
	}
	if c.Request.Method == http.MethodGet {
		return d.Login.Require(c, page.PathOf(c.Request.URL),
			login.Prompt{Text: "Sign in to review and publish the articles of your account."})
	}
	from, _ := c.MustGet(keySender).(sender)
	if from.err == nil {
		return from.person, true
	}
	why, status := page.SessionUnknown, refusedStatus(from.err)
	if status == http.StatusUnauthorized {
		why = page.SessionEnded
	} else {
		c.Header("Retry-After", "5")
	}
	v := page.NewSignedOutVisit(d.deps, c.Request)
	if !v.HasTicket() {
		// It is not made into a page: it did not come from our page.
		d.Frame.Message(c, status, "Not sent", "Go back, load the page again, and send the form from there.")
		return login.Person{}, false
	}
	d.send(c, r, v, v.Keep(why).With(status))
	return login.Person{}, false
}

// answer returns the answer of a route to a visit, whatever goes wrong.
func (d *Dashboard) answer(v *page.Visit, r route) *page.Answer {
	if refused := refusal(v, r); refused != nil {
		return refused
	}
	if r.Method != http.MethodGet {
		if refused := v.CheckTicket(); refused != nil {
			return refused
		}
	}
	a, err := r.Handle(v)
	if err != nil {
		return v.Failure(err)
	}
	return a
}

// refusal returns the answer to a person who has no access to the workspace of a route, or lacks its scope; nil if they have both.
func refusal(v *page.Visit, r route) *page.Answer {
	if _, ok := v.Params["workspace"]; ok && v.Workspace == "" {
		return v.NotFound()
	}
	if r.Scope != page.AnyScope && !v.May(r.Scope) {
		return v.Forbidden(r.Scope)
	}
	return nil
}
