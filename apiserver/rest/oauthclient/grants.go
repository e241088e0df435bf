package oauthclient

import (
	"context"
	"errors"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// OAuthGrant is the access that a person has given to a client.
type OAuthGrant struct {
	ID         string   `json:"id" doc:"Id, for the path of other operations." example:"aakjn7njaixrmqbu"`
	ClientID   string   `json:"client_id" doc:"Client id of the app. It is no secret." example:"pr_ci_aa3kq2vxw5ntb6ha"`
	ClientName string   `json:"app_name" doc:"The app's name as people know it; empty if the app is off."`
	Person     string   `json:"person" doc:"Who gave it: an e-mail address, or api-key: and the id of a key." example:"mara@acme.example"`
	Scopes     []string `json:"scopes" nullable:"false" doc:"What it allows."`
	Workspaces []string `json:"workspaces" nullable:"false" doc:"Workspaces that it is limited to; empty for all of the account."`
	CreatedAt  string   `json:"created_at" format:"date-time" doc:"When it was created."`
	ExpiresAt  string   `json:"expires_at" format:"date-time" doc:"When it ends."`
	LastUsedAt *string  `json:"last_used_at" format:"date-time" doc:"Written once an hour; null until the token is used."`
}

// OAuthGrantList has the grants of an account.
type OAuthGrantList struct {
	operation.Envelope
	Data []OAuthGrant `json:"data" nullable:"false" doc:"What the answer is about."`
}

// Inputs and outputs of the operations on grants.
type (
	// ListGrantsInput is the input of list-oauth-grants.
	ListGrantsInput struct {
		Person   string `query:"person" maxLength:"180" doc:"Only those that this person gave."`
		ClientID string `query:"client_id" maxLength:"128" doc:"Only those of this app."`
	}
	// OnGrant is the input of revoke-oauth-grant.
	OnGrant struct {
		ID string `path:"grant_id" maxLength:"100" doc:"The grant's id." example:"aakjn7njaixrmqbu"`
	}
)

const grantsPath = "/v1/api/oauth/grants"

// ListGrants lists the access that people have given.
var ListGrants = operation.Operation[ListGrantsInput, operation.Output[OAuthGrantList]]{
	ID: "list-oauth-grants", Method: http.MethodGet, Path: grantsPath, Tag: operation.TagOAuth, Scope: v1alpha1.ScopeRead,
	WholeAccount: true,
}

func (s *service) listGrants(ctx context.Context, c *operation.Call, in *ListGrantsInput) (*operation.Output[OAuthGrantList], error) {
	found, err := s.Grants.List(ctx, c.Principal.Account, in.Person)
	if err != nil {
		return nil, err
	}
	out := operation.Answer(OAuthGrantList{Envelope: operation.Succeeded, Data: []OAuthGrant{}})
	for i := range found {
		g := presentGrant(&found[i])
		client, err := s.Grants.Clients.Named(ctx, found[i].Spec.ClientRef.Name)
		switch {
		case err == nil:
			g.ClientID, g.ClientName = client.ClientID(), content.Label(client.Spec.DisplayName)
		case !errors.Is(err, oauth.ErrUnknownClient) && !errors.Is(err, oauth.ErrSuspended):
			return nil, grantProblem(err)
		}
		if in.ClientID != "" && g.ClientID != in.ClientID {
			continue
		}
		out.Body.Data = append(out.Body.Data, g)
	}
	return out, nil
}

// RevokeGrant ends the access that a person has given.
var RevokeGrant = operation.Operation[OnGrant, operation.DeleteOutput]{
	ID: "revoke-oauth-grant", Method: http.MethodDelete, Path: grantsPath + "/{grant_id}", Tag: operation.TagOAuth,
	Scope: v1alpha1.ScopeWrite, Status: http.StatusNoContent, WholeAccount: true, Errors: operation.ReadErrors,
}

func (s *service) revokeGrant(ctx context.Context, c *operation.Call, in *OnGrant) (*operation.DeleteOutput, error) {
	err := s.Grants.Revoke(ctx, c.Principal.Account, in.ID)
	if err == nil {
		// The page that follows lists the grants, and the next request may have the token.
		s.Grants.AwaitRevoked(ctx, c.Principal.Account, in.ID)
	}
	return &operation.DeleteOutput{}, grantProblem(err)
}

// grantProblem returns an error about a grant as an API error.
func grantProblem(err error) error {
	if errors.Is(err, oauth.ErrUnknownGrant) {
		return problem.NotFound("grant")
	}
	return err
}

func presentGrant(g *v1alpha1.OAuthGrant) OAuthGrant {
	return OAuthGrant{
		ID: g.Name, ClientID: v1alpha1.ClientIDPrefix + g.Spec.ClientRef.Name, Person: g.Spec.Person,
		Scopes: operation.ScopeNames(g.Spec.Scopes), Workspaces: append([]string{}, g.Spec.Workspaces...),
		CreatedAt:  operation.Milliseconds(g.Status.RedemptionTime.Time),
		ExpiresAt:  operation.Milliseconds(g.Status.TokenExpirationTime.Time),
		LastUsedAt: operation.WhenOrNull(g.Status.LastUseTime),
	}
}
