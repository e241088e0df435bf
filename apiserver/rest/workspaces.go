package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ListWorkspacesInput is the input of list-workspaces: none.
type ListWorkspacesInput struct{}

// ListWorkspacesOutput is the answer of list-workspaces.
type ListWorkspacesOutput struct{ Body WorkspaceList }

func (s *service) registerWorkspaces() {
	g := s.group(tagSites, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/workspaces", "list-workspaces")
	op.Summary = "List workspaces"
	op.Description = "The workspaces that the key opens, by name: the values for the header x-workspace-id."
	handle(g, op, s.listWorkspaces)
}

func (s *service) listWorkspaces(_ context.Context, c *call, _ *ListWorkspacesInput) (*ListWorkspacesOutput, error) {
	out := &ListWorkspacesOutput{Body: WorkspaceList{Envelope: succeeded, Data: []Workspace{}}}
	for _, w := range s.Index.Workspaces(c.principal.Account) {
		if c.principal.Opens(w.Name) {
			out.Body.Data = append(out.Body.Data, Workspace{WorkspaceID: w.Name, Account: w.Account})
		}
	}
	return out, nil
}
