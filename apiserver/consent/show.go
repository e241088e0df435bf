package consent

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
)

// consentView is what the consent page shows.
type consentView struct {
	App         *appView
	Person      personView
	Destination string
	Scopes      []scopeView
	// Missing are scopes that the app asks for and the person does not have.
	Missing []explanation
	// Limited says that the person may hand on some workspaces only.
	Limited    bool
	All        bool
	Workspaces []workspaceView
	Ticket     string
	Problem    string
}

type appView struct{ Name, Initial, Home, Policy, Terms string }

type personView struct{ Name, Account string }

type scopeView struct {
	explanation

	Ticked bool
}

type workspaceView struct {
	Name   string
	Ticked bool
}

// showConsent answers GET: it changes nothing.
func (p *Pages) showConsent(c *gin.Context) {
	r, ok := p.requested(c, c.Request.URL.RawQuery)
	if !ok {
		return
	}
	s, person, err := p.signedIn(c)
	if errors.Is(err, people.ErrGone) {
		p.showSignIn(c, r.path(), viewOf(r.app))
		return
	}
	if err != nil {
		p.unavailable(c, err)
		return
	}
	f := formOf(r, s, person, p.Workspaces(person.Account))
	f.recall(p.takeNotice(c, r.path(), s.ID))
	p.showForm(c, f)
}

// requested returns the request of a query. Where there is none that can go on, it answers itself.
func (p *Pages) requested(c *gin.Context, query string) (*request, bool) {
	r, err := p.parse(c.Request.Context(), query)
	var refused *refusal
	var faulty *fault
	switch {
	case err == nil:
		return r, true
	case errors.As(err, &refused):
		p.message(c, refused.status, "This request cannot be answered",
			refused.message+" For your safety you are not sent anywhere. Tell the makers of the app.")
	case errors.As(err, &faulty):
		redirect(c, r.answer(p.Issuer(), "error", faulty.code, "error_description", faulty.description))
	default:
		p.unavailable(c, err)
	}
	return nil, false
}

// signedIn returns who has signed in, or people.ErrGone: a session that opens nothing any more is none. Any other error says
// that it cannot be told, which is no reason to have anybody sign in again.
func (p *Pages) signedIn(c *gin.Context) (session.Session, people.Person, error) {
	s, ok := p.Store.Read(c.Request)
	if !ok {
		return s, people.Person{}, people.ErrGone
	}
	person, err := p.People.Find(c.Request.Context(), s)
	return s, person, err
}

// form is a consent page with what is ticked on it.
type form struct {
	request    *request
	session    session.Session
	person     people.Person
	workspaces []string
	// offered is what can be granted: what is asked for, and what the person has.
	offered []v1alpha1.Scope
	chosen  choice
	problem string
}

// formOf is the form as it is first shown: everything that is asked for is ticked.
func formOf(r *request, s session.Session, person people.Person, all []string) form {
	f := form{request: r, session: s, person: person}
	for _, scope := range r.scopes {
		if slices.Contains(person.Scopes, scope) {
			f.offered = append(f.offered, scope)
		}
	}
	for _, w := range all {
		if len(person.Workspaces) == 0 || slices.Contains(person.Workspaces, w) {
			f.workspaces = append(f.workspaces, w)
		}
	}
	f.chosen = choice{scopes: f.offered, all: len(person.Workspaces) == 0, workspaces: f.workspaces}
	return f
}

// recall shows a form as it was sent, with what was wrong with it. What cannot be offered any more is not ticked either.
func (f *form) recall(n notice) {
	f.problem = n.Problem
	if t := n.Ticked; t != nil {
		f.chosen = choice{scopes: t.Scopes, all: t.All, workspaces: t.Workspaces}
	}
}

// showForm shows the consent page.
func (p *Pages) showForm(c *gin.Context, f form) {
	sealed, err := p.seal(purposeConsent, f.session.ID, f.request.query)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	v := consentView{
		App: viewOf(f.request.app), Person: personView{shown(f.person.Name), shown(f.person.AccountName)},
		Destination: destination(f.request.redirectURI), Limited: len(f.person.Workspaces) > 0, All: f.chosen.all,
		Ticket: sealed, Problem: f.problem,
	}
	for _, e := range explained {
		switch {
		case slices.Contains(f.offered, e.Scope):
			v.Scopes = append(v.Scopes, scopeView{e, slices.Contains(f.chosen.scopes, e.Scope)})
		case slices.Contains(f.request.scopes, e.Scope):
			v.Missing = append(v.Missing, e)
		}
	}
	for _, w := range f.workspaces {
		v.Workspaces = append(v.Workspaces, workspaceView{w, slices.Contains(f.chosen.workspaces, w)})
	}
	p.show(c, http.StatusOK, "consent.html", "Let "+v.App.Name+" in?", v)
}

func viewOf(app *v1alpha1.OAuthClient) *appView {
	name := shown(app.Spec.DisplayName)
	return &appView{
		Name: name, Initial: string([]rune(name)[:1]), Home: app.Spec.HomeURL, Policy: app.Spec.PolicyURL, Terms: app.Spec.TermsURL,
	}
}
