package consent

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/people"
)

const (
	// seenWithin and seenEvery bound how long a revocation waits until this replica's own list knows of it.
	seenWithin = 2 * time.Second
	seenEvery  = 20 * time.Millisecond
)

// appsView is what the page of connected apps shows.
type appsView struct {
	Person personView
	Grants []grantView
}

type grantView struct {
	App        *appView
	Scopes     []explanation
	Workspaces string
	Since      time.Time
	LastUsed   *time.Time
	Ticket     string
}

func (p *Pages) showApps(c *gin.Context) {
	s, person, err := p.signedIn(c)
	if errors.Is(err, people.ErrGone) {
		p.showSignIn(c, AppsPath, nil)
		return
	}
	if err != nil {
		p.unavailable(c, err)
		return
	}
	grants, err := p.Grants.List(c.Request.Context(), person.Account, person.ID)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	v := appsView{Person: personView{shown(person.Name), shown(person.AccountName)}}
	for i := range grants {
		view, err := p.grantView(c.Request.Context(), s.ID, &grants[i])
		if err != nil {
			p.unavailable(c, err)
			return
		}
		v.Grants = append(v.Grants, view)
	}
	p.show(c, http.StatusOK, "apps.html", "Connected apps", v)
}

func (p *Pages) grantView(ctx context.Context, sessionID string, g *v1alpha1.OAuthGrant) (grantView, error) {
	sealed, err := p.seal(purposeRevoke, sessionID, g.Name)
	if err != nil {
		return grantView{}, err
	}
	v := grantView{Workspaces: "All workspaces", Since: g.CreationTimestamp.UTC(), Ticket: sealed}
	if len(g.Spec.Workspaces) > 0 {
		v.Workspaces = strings.Join(g.Spec.Workspaces, ", ")
	}
	if g.Status.RedeemedAt != nil {
		v.Since = g.Status.RedeemedAt.UTC()
	}
	if g.Status.LastUsedAt != nil {
		v.LastUsed = new(g.Status.LastUsedAt.UTC())
	}
	for _, e := range explained {
		if slices.Contains(g.Spec.Scopes, e.Scope) {
			v.Scopes = append(v.Scopes, e)
		}
	}
	app, err := p.Clients.Get(ctx, v1alpha1.ClientIDPrefix+g.Spec.ClientRef.Name)
	if err != nil {
		// It can be removed all the same.
		app = &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{DisplayName: g.Spec.ClientRef.Name}}
	}
	v.App = viewOf(app)
	return v, nil
}

// revoke takes the access of an app back.
func (p *Pages) revoke(c *gin.Context) {
	s, person, err := p.signedIn(c)
	if err != nil && !errors.Is(err, people.ErrGone) {
		p.unavailable(c, err)
		return
	}
	t, unsealed := p.open(purposeRevoke, c.PostForm("ticket"))
	if err != nil || unsealed != nil || t.Session != s.ID {
		redirect(c, AppsPath)
		return
	}
	name := string(t.Subject)
	theirs, err := p.holds(c.Request.Context(), person, name)
	if err != nil {
		p.unavailable(c, err)
		return
	}
	if theirs {
		// One that is gone is one that opens nothing.
		if err := p.Grants.Revoke(c.Request.Context(), name); err != nil && !errors.Is(err, oauth.ErrUnknownGrant) {
			p.unavailable(c, err)
			return
		}
		p.awaitGone(c.Request.Context(), person, name)
	}
	redirect(c, AppsPath)
}

// awaitGone waits until the list that is shown next knows of a revocation, which is in force already.
func (p *Pages) awaitGone(ctx context.Context, person people.Person, name string) {
	err := wait.PollUntilContextTimeout(ctx, seenEvery, seenWithin, true, func(ctx context.Context) (bool, error) {
		theirs, err := p.holds(ctx, person, name)
		return !theirs, err
	})
	if err != nil {
		p.Log.V(1).Info("a revoked grant is still listed", "grant", name, "error", err.Error())
	}
}

// holds reports whether a grant is one that a person gave.
func (p *Pages) holds(ctx context.Context, person people.Person, name string) (bool, error) {
	grants, err := p.Grants.List(ctx, person.Account, person.ID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(grants, func(g v1alpha1.OAuthGrant) bool { return g.Name == name }), nil
}
