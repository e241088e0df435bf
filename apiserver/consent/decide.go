package consent

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

const purposeConsent = "consent form"

// decide answers POST. Everything is checked again: days may lie between showing a form and sending it, and anyone who sends it may
// have changed it.
func (p *Pages) decide(c *gin.Context) {
	t, err := p.Frame.OpenTicket(purposeConsent, c.PostForm("ticket"))
	stale := errors.Is(err, pages.ErrStale)
	if err != nil && !stale {
		p.Frame.Message(c, http.StatusBadRequest, "This page is out of date",
			"Nothing has been decided. Go back to the app and start again.")
		return
	}
	r, ok := p.requested(c, string(t.Subject))
	if !ok {
		return
	}
	person, err := p.Login.Person(c)
	if errors.Is(err, login.ErrSignedOut) || (err == nil && person.SessionID != t.Session) {
		// Somebody has signed out, or in again: they decide again, on a form of their own.
		pages.Redirect(c, r.path())
		return
	}
	if err != nil {
		p.Frame.Unavailable(c, err)
		return
	}
	f := newForm(r, person)
	if stale {
		p.Frame.SendBack(c, r.path(), pages.Notice{
			Session: person.SessionID, Problem: "This page was open for too long. Look at it again.",
		})
		return
	}
	var problem string
	f.chosen, problem = f.choose(choiceIn(c.Request.PostForm))
	switch c.PostForm("decision") {
	case "approve":
		p.approve(c, f, t.ID, problem)
	case "deny":
		pages.Redirect(c, r.answer(p.Issuer(), "error", codeAccessDenied, "error_description", "the person said no"))
	default:
		p.sendBack(c, f, "Nothing has been decided yet. Let the app in, or refuse.")
	}
}

// approve grants what was chosen, once for each ticket, unless there is a problem with it.
func (p *Pages) approve(c *gin.Context, f form, ticket, problem string) {
	if problem != "" {
		p.sendBack(c, f, problem)
		return
	}
	g := oauth.GrantRequest{Form: ticket, ClientID: f.request.clientID, OAuthGrantSpec: v1alpha1.OAuthGrantSpec{
		AccountRef: v1alpha1.AccountReference{Name: f.person.Account}, Person: f.person.ID, KeyUID: string(f.person.KeyUID),
		Groups: f.person.Groups, Scopes: f.chosen.scopes, RedirectURI: f.request.redirectURI, CodeChallenge: f.request.challenge,
	}}
	if f.request.client.DocumentURL() != "" {
		g.Client = f.request.client
	}
	if !f.chosen.all {
		g.Workspaces = f.chosen.workspaces
	}
	code, err := p.Grants.Create(c.Request.Context(), g)
	switch {
	case errors.Is(err, oauth.ErrRepeated):
		p.sendBack(c, f, "This form was sent already. Decide again if the app does not have your answer.")
		return
	case errors.Is(err, oauth.ErrTooManyGrants):
		p.sendBack(c, f, "You have let this app in as often as your account allows. Remove its access under Connected apps first.")
		return
	case errors.Is(err, oauth.ErrTooManyApps):
		p.sendBack(c, f, "Your account has reached its limit of unregistered apps. "+
			"Remove one under Connected apps first, and wait an hour.")
		return
	case errors.Is(err, oauth.ErrTooOften):
		p.sendBack(c, f, "You, or others of your account, have let apps in too often. Wait a few minutes, and decide again.")
		return
	case err != nil:
		p.Log.Error(err, "recording a consent", "client", f.request.clientID)
		pages.Redirect(c, f.request.answer(p.Issuer(), "error", codeUnavailable,
			"error_description", "the consent could not be recorded: try again"))
		return
	}
	pages.Redirect(c, f.request.answer(p.Issuer(), "code", code))
}

// sendBack shows the form again, with what was ticked on it.
func (p *Pages) sendBack(c *gin.Context, f form, problem string) {
	p.Frame.SendBack(c, f.request.path(), pages.Notice{
		Session: f.person.SessionID, Problem: problem, Form: f.chosen.values(),
	})
}

// choose returns what was ticked of what is offered. Ticks of anything else are a problem: problem says what must be changed, and
// is empty if the choice can be granted.
func (f form) choose(ticked choice) (chosen choice, problem string) {
	chosen.all = ticked.all && len(f.person.Workspaces) == 0
	for _, scope := range ticked.scopes {
		if !slices.Contains(f.offered, scope) {
			problem = "Your rights have changed since this page was shown. Look at it again."
			continue
		}
		chosen.scopes = append(chosen.scopes, scope)
	}
	for _, w := range f.workspaces {
		if slices.Contains(ticked.workspaces, w) {
			chosen.workspaces = append(chosen.workspaces, w)
		}
	}
	foreign := slices.ContainsFunc(ticked.workspaces, func(w string) bool { return !slices.Contains(f.workspaces, w) })
	switch {
	case problem != "":
	case len(chosen.scopes) == 0:
		problem = "Tick at least one thing that the app may do, or refuse."
	case chosen.all:
	case foreign:
		problem = "Your workspaces have changed since this page was shown. Look at it again."
	case len(chosen.workspaces) == 0:
		problem = "Tick at least one workspace, or refuse."
	case len(chosen.workspaces) > maxWorkspaces:
		problem = "Tick at most 100 workspaces."
	}
	return chosen, problem
}
