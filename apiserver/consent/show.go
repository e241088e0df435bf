package consent

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// consentView is the data of the consent page.
type consentView struct {
	Client      *clientView
	Person      login.Person
	Destination string
	Scopes      []scopeView
	// Missing are scopes that the client asks for and the person does not have.
	Missing []explanation
	// Limited means that the person may hand on some workspaces only.
	Limited    bool
	All        bool
	Workspaces []workspaceView
	Ticket     string
	Problem    string
}

// clientView shows a client. Account is the name of the account that has registered it; empty for clients of the operator. Document is the
// address at which a client describes itself that nobody has registered: its Name is the host, and Called what it calls itself.
type clientView struct{ Name, Initial, Account, Document, Called, Home, Policy, Terms string }

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
	person, ok := p.Login.Require(c, r.path(), prompt(viewOf(r.client).Name))
	if !ok {
		return
	}
	f := newForm(r, person)
	f.restore(p.Frame.TakeNotice(c, r.path(), person.SessionID))
	p.showForm(c, f)
}

// requested returns the request of a query. If it cannot go on, it answers itself and returns false.
func (p *Pages) requested(c *gin.Context, query string) (*request, bool) {
	person, ok := p.reader(c, query)
	if !ok {
		return nil, false
	}
	r, err := p.parse(c.Request.Context(), query, person)
	var refused *refusal
	var faulty *fault
	switch {
	case err == nil:
		return r, true
	case errors.As(err, &refused):
		p.Frame.Message(c, refused.status, "This request cannot be answered",
			refused.message+" For your safety you are not sent anywhere. Tell the makers of the app.")
	case errors.As(err, &faulty):
		p.answerFault(c, r, faulty)
	default:
		p.Frame.Unavailable(c, err)
	}
	return nil, false
}

// reader returns for whom the document of a request's client is read: for somebody who is signed in, because anybody could have the facade
// read anything otherwise. If nobody is, it answers with the sign-in page and returns false. For a registered client it returns nobody.
func (p *Pages) reader(c *gin.Context, query string) (login.Person, bool) {
	params, _ := parameters(query)
	id, ok := one(params, paramClient)
	if !ok || !p.Clients.HasDocument(id) {
		return login.Person{}, true
	}
	query = carried(params)
	if len(query) > maxCarried {
		p.Frame.Message(c, http.StatusBadRequest, "This request cannot be answered", "The request is too long. Tell the makers of the app.")
		return login.Person{}, false
	}
	return p.Login.Require(c, ConsentPath+"?"+query, prompt(clientdocument.Host(id)))
}

// prompt is that of the sign-in page before the consent page.
func prompt(client string) login.Prompt {
	return login.Prompt{
		Client: client,
		Text:   "asks for access to your account. Sign in to see what it asks for. Nothing is granted by signing in.",
	}
}

// answerFault sends somebody who is signed in back with an error. Nobody else is sent anywhere: anybody may register an app, and
// links to this server must not lead to any address that they like (RFC 9700, section 4.11.2).
func (p *Pages) answerFault(c *gin.Context, r *request, f *fault) {
	back := r.answer(p.Issuer(), "error", f.code, "error_description", f.description)
	_, err := p.Login.Person(c)
	switch {
	case err == nil:
		pages.Redirect(c, back)
	case errors.Is(err, login.ErrSignedOut):
		p.views.Show(c, http.StatusBadRequest, "fault.html", "This request cannot be answered", faultView{
			Client: viewOf(r.client), Problem: f.description, Destination: destination(r.redirectURI), Back: back,
		})
	default:
		p.Frame.Unavailable(c, err)
	}
}

// faultView is the data of the page about a request that somebody who is not signed in comes with.
type faultView struct {
	Client                     *clientView
	Problem, Destination, Back string
}

// form is a consent page with what is ticked on it.
type form struct {
	request    *request
	person     login.Person
	workspaces []string
	// offered holds the scopes that can be granted: those that the client asks for and the person has.
	offered []v1alpha1.Scope
	chosen  choice
	problem string
}

// newForm returns the form as it is first shown: everything that is asked for is ticked.
func newForm(r *request, person login.Person) form {
	f := form{request: r, person: person, workspaces: person.Opens}
	for _, scope := range r.scopes {
		if slices.Contains(person.Scopes, scope) {
			f.offered = append(f.offered, scope)
		}
	}
	f.chosen = choice{scopes: f.offered, all: len(person.Workspaces) == 0, workspaces: f.workspaces}
	return f
}

// restore shows a form as it was sent, with what was wrong with it. Nothing is ticked that cannot be offered any more.
func (f *form) restore(n pages.Notice) {
	f.problem = n.Problem
	if n.Form != nil {
		f.chosen = choiceIn(n.Form)
	}
}

func (p *Pages) showForm(c *gin.Context, f form) {
	sealed, err := p.Frame.SealTicket(purposeConsent, f.person.SessionID, f.request.query)
	if err != nil {
		p.Frame.Unavailable(c, err)
		return
	}
	v := consentView{
		Client: viewOf(f.request.client), Person: f.person, Destination: destination(f.request.redirectURI),
		Limited: len(f.person.Workspaces) > 0, All: f.chosen.all, Ticket: sealed, Problem: f.problem,
	}
	for _, e := range explain(f.request.scopes) {
		if slices.Contains(f.offered, e.Scope) {
			v.Scopes = append(v.Scopes, scopeView{e, slices.Contains(f.chosen.scopes, e.Scope)})
		} else {
			v.Missing = append(v.Missing, e)
		}
	}
	for _, w := range f.workspaces {
		v.Workspaces = append(v.Workspaces, workspaceView{w, slices.Contains(f.chosen.workspaces, w)})
	}
	p.views.Show(c, http.StatusOK, "consent.html", "Let "+v.Client.Name+" in?", v)
}

func viewOf(client *v1alpha1.OAuthClient) *clientView {
	spec := client.Spec
	name := pages.DisplayName(spec.DisplayName, "An app without a name")
	v := &clientView{
		Name: name, Initial: string([]rune(name)[:1]), Home: spec.HomeURL, Policy: spec.PolicyURL, Terms: spec.TermsURL,
	}
	if spec.AccountRef != nil {
		v.Account = spec.AccountRef.Name
	}
	if address := client.DocumentURL(); address != "" {
		v.Document, v.Name = address, clientdocument.Host(address)
		v.Initial = v.Name[:1]
		if called, ok := strings.CutPrefix(name, v.Name+" ("); ok {
			v.Called = strings.TrimSuffix(called, ")")
		}
	}
	return v
}
