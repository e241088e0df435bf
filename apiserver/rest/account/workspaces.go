package account

import (
	"context"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

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
