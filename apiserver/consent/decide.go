package consent

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/people"
)

// maxWorkspaces is what a grant takes.
const maxWorkspaces = 100

// choice is what a person left ticked.
type choice struct {
	scopes []v1alpha1.Scope
	// all stands for the workspaces of the account, those of the future included.
	all        bool
	workspaces []string
}

// decide answers POST. Everything is checked again: days may lie between showing a form and sending it, and whoever sends
// it may have changed it.
func (p *Pages) decide(c *gin.Context) {
	t, err := p.open(purposeConsent, c.PostForm("ticket"))
	stale := errors.Is(err, errStale)
	if err != nil && !stale {
		p.message(c, http.StatusBadRequest, "This page is out of date", "Nothing has been decided. Go back to the app and start again.")
		return
	}
	r, ok := p.requested(c, string(t.Subject))
	if !ok {
		return
	}
	s, person, err := p.signedIn(c)
	if errors.Is(err, people.ErrGone) || (err == nil && s.ID != t.Session) {
		// Somebody signed out, or in again: they decide anew, on a form of their own.
		redirect(c, r.path())
		return
	}
	if err != nil {
		p.unavailable(c, err)
		return
	}
	f := formOf(r, s, person, p.Workspaces(person.Account))
	if stale {
		p.sendBack(c, r.path(), notice{Session: s.ID, Problem: "This page was open for too long. Look at it again."})
		return
	}
	switch c.PostForm("decision") {
	case "approve":
		p.approve(c, f)
	case "deny":
		redirect(c, r.answer(p.Issuer(), "error", codeAccessDenied, "error_description", "the person said no"))
	default:
		f.chosen, _ = f.choose(c.PostFormArray("scope"), c.PostForm("reach"), c.PostFormArray("workspace"))
		p.sendBackForm(c, f, "Nothing has been decided yet. Let the app in, or refuse.")
	}
}

func (p *Pages) approve(c *gin.Context, f form) {
	var problem string
	f.chosen, problem = f.choose(c.PostFormArray("scope"), c.PostForm("reach"), c.PostFormArray("workspace"))
	if problem != "" {
		p.sendBackForm(c, f, problem)
		return
	}
	g := oauth.GrantRequest{
		ClientID: f.request.clientID, Account: f.person.Account, Person: f.person.ID, Scopes: f.chosen.scopes,
		RedirectURI: f.request.redirectURI, CodeChallenge: f.request.challenge,
	}
	if !f.chosen.all {
		g.Workspaces = f.chosen.workspaces
	}
	code, err := p.Grants.Create(c.Request.Context(), g)
	if err != nil {
		p.Log.Error(err, "recording a consent", "client", f.request.clientID)
		redirect(c, f.request.answer(p.Issuer(), "error", codeUnavailable,
			"error_description", "the consent could not be recorded: try again"))
		return
	}
	redirect(c, f.request.answer(p.Issuer(), "code", code))
}

// sendBackForm shows the form again, with what was ticked on it.
func (p *Pages) sendBackForm(c *gin.Context, f form, problem string) {
	p.sendBack(c, f.request.path(), notice{
		Session: f.session.ID, Problem: problem,
		Ticked: &ticked{Scopes: f.chosen.scopes, All: f.chosen.all, Workspaces: f.chosen.workspaces},
	})
}

// choose takes what was ticked of what is offered. Ticks of anything else are a problem, not a gift: problem says what must
// be changed, and is empty where the choice can be granted.
func (f form) choose(scopes []string, reach string, workspaces []string) (ch choice, problem string) {
	ch = choice{all: reach == "all" && len(f.person.Workspaces) == 0}
	for _, e := range explained {
		if !slices.Contains(scopes, e.Name) {
			continue
		}
		if !slices.Contains(f.offered, e.Scope) {
			problem = "Your rights have changed since this page was shown. Look at it again."
			continue
		}
		ch.scopes = append(ch.scopes, e.Scope)
	}
	for _, w := range f.workspaces {
		if slices.Contains(workspaces, w) {
			ch.workspaces = append(ch.workspaces, w)
		}
	}
	foreign := slices.ContainsFunc(workspaces, func(w string) bool { return !slices.Contains(f.workspaces, w) })
	switch {
	case problem != "":
	case len(ch.scopes) == 0:
		problem = "Tick at least one thing that the app may do, or refuse."
	case ch.all:
	case foreign:
		problem = "Your workspaces have changed since this page was shown. Look at it again."
	case len(ch.workspaces) == 0:
		problem = "Tick at least one workspace, or refuse."
	case len(ch.workspaces) > maxWorkspaces:
		problem = "Tick at most 100 workspaces."
	}
	return ch, problem
}
