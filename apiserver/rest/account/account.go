// Package account has the operations on the account that a credential belongs to: its workspaces, its usage, and the credential itself.
package account

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

type resource struct{ *operation.Core }

// Register adds the operations on the account of a credential.
func Register(core *operation.Core) {
	s := resource{core}
	read, all := s.Group(operation.TagAccount, v1alpha1.ScopeRead), s.Group(operation.TagAccount, operation.AnyScope)
	sites := s.Group(operation.TagSites, v1alpha1.ScopeRead)
	operation.Handle(sites, http.MethodGet, "/v1/api/workspaces", "list-workspaces", s.listWorkspaces)
	operation.Handle(all, http.MethodGet, "/v1/api/whoami", "whoami", s.whoami)
	operation.Handle(read, http.MethodGet, "/v1/api/usage", "get-usage", s.usage)
}

// Workspace is a workspace that the API key opens.
type Workspace struct {
	WorkspaceID string `json:"workspace_id" doc:"Value for the header x-workspace-id." example:"acme-blog"`
	Account     string `json:"account" doc:"Account of the workspace." example:"acme"`
}

// WorkspaceList is the answer of list-workspaces.
type WorkspaceList struct {
	operation.Envelope
	Data []Workspace `json:"data"`
}

func (s resource) listWorkspaces(_ context.Context, c *operation.Call, _ *struct{}) (*operation.Output[WorkspaceList], error) {
	out := operation.Answer(WorkspaceList{Envelope: operation.Succeeded, Data: []Workspace{}})
	for _, w := range s.Index.Workspaces(c.Principal.Account) {
		if c.Principal.Opens(w.Name) {
			out.Body.Data = append(out.Body.Data, Workspace{WorkspaceID: w.Name, Account: w.Account})
		}
	}
	return out, nil
}

// Whoami is the answer of whoami.
type Whoami struct {
	operation.Envelope
	Kind       string   `json:"kind" enum:"api_key,access_token"`
	ID         string   `json:"id" doc:"The part of the credential that is no secret." example:"aa3kq2vxw5ntb6ha"`
	Name       string   `json:"name" doc:"The name under which decisions are recorded." example:"Mara"`
	Account    string   `json:"account" example:"acme"`
	Scopes     []string `json:"scopes" example:"read,write"`
	ExpiresAt  *string  `json:"expires_at" format:"date-time" doc:"Null if it does not expire."`
	Workspaces []string `json:"workspaces" doc:"The workspaces that it opens now, by name." example:"acme-blog"`
	Limited    bool     `json:"limited" doc:"Whether it opens these workspaces alone; otherwise also those that the account gets later."`
}

func (s resource) whoami(_ context.Context, c *operation.Call, _ *struct{}) (*operation.Output[Whoami], error) {
	p := c.Principal
	out := Whoami{
		Envelope: operation.Succeeded, Kind: "api_key", ID: p.ID, Name: p.Name, Account: p.Account, Scopes: operation.ScopeNames(p.Scopes),
		Workspaces: []string{}, Limited: len(p.Workspaces) > 0, ExpiresAt: operation.TimeOrNull(p.ExpiresAt),
	}
	if p.Client != "" {
		out.Kind = "access_token"
	}
	for _, w := range s.Index.Workspaces(p.Account) {
		if c.Opens(w.Name) {
			out.Workspaces = append(out.Workspaces, w.Name)
		}
	}
	return operation.Answer(out), nil
}
