package account

import (
	"context"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

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
