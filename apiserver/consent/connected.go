package consent

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

const purposeRevoke = "revoke form"

// connectedView is the data of the page of connected clients.
type connectedView struct {
	Person login.Person
	Grants []grantView
}

type grantView struct {
	Client     *clientView
	Scopes     []explanation
	Workspaces string
	Since      time.Time
	LastUsed   *time.Time
	Ticket     string
}

func (p *Pages) showConnected(c *gin.Context) {
	person, ok := p.Login.Require(c, ConnectedPath, login.Prompt{Text: "Sign in to see which apps have access to your account."})
	if !ok {
		return
	}
	grants, err := p.Grants.List(c.Request.Context(), person.Account, person.ID)
	if err != nil {
		p.Frame.Unavailable(c, err)
		return
	}
	v := connectedView{Person: person}
	for i := range grants {
		view, err := p.grantView(c.Request.Context(), person.SessionID, &grants[i])
		if err != nil {
			p.Frame.Unavailable(c, err)
			return
		}
		v.Grants = append(v.Grants, view)
	}
	p.views.Show(c, http.StatusOK, "connected.html", "Connected apps", v)
}

func (p *Pages) grantView(ctx context.Context, sessionID string, g *v1alpha1.OAuthGrant) (grantView, error) {
	sealed, err := p.Frame.SealTicket(purposeRevoke, sessionID, g.Name)
	if err != nil {
		return grantView{}, err
	}
	v := grantView{
		Workspaces: "All workspaces", Since: g.CreationTimestamp.UTC(), Ticket: sealed, Scopes: explain(g.Spec.Scopes),
	}
	if len(g.Spec.Workspaces) > 0 {
		v.Workspaces = strings.Join(g.Spec.Workspaces, ", ")
	}
	if g.Status.RedemptionTime != nil {
		v.Since = g.Status.RedemptionTime.UTC()
	}
	if g.Status.LastUseTime != nil {
		v.LastUsed = new(g.Status.LastUseTime.UTC())
	}
	client, err := p.Clients.Named(ctx, g.Spec.ClientRef.Name)
	if err != nil {
		// It can be removed anyway.
		client = &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{DisplayName: g.Spec.ClientRef.Name}}
	}
	v.Client = viewOf(client)
	return v, nil
}

// revoke ends the access of a client.
func (p *Pages) revoke(c *gin.Context) {
	person, err := p.Login.Person(c)
	if err != nil && !errors.Is(err, login.ErrSignedOut) {
		p.Frame.Unavailable(c, err)
		return
	}
	t, invalid := p.Frame.OpenTicket(purposeRevoke, c.PostForm("ticket"))
	if err != nil || invalid != nil || t.Session != person.SessionID {
		pages.Redirect(c, ConnectedPath)
		return
	}
	name := string(t.Subject)
	gave, err := p.gave(c.Request.Context(), person, name)
	if err != nil {
		p.Frame.Unavailable(c, err)
		return
	}
	if gave {
		// A grant that is gone needs no revoking.
		if err := p.Grants.Revoke(c.Request.Context(), person.Account, name); err != nil && !errors.Is(err, oauth.ErrUnknownGrant) {
			p.Frame.Unavailable(c, err)
			return
		}
		p.Grants.AwaitRevoked(c.Request.Context(), person.Account, name)
	}
	pages.Redirect(c, ConnectedPath)
}

// gave reports whether a person gave a grant.
func (p *Pages) gave(ctx context.Context, person login.Person, name string) (bool, error) {
	grants, err := p.Grants.List(ctx, person.Account, person.ID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(grants, func(g v1alpha1.OAuthGrant) bool { return g.Name == name }), nil
}
