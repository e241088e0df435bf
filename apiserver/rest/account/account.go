// Package account has the operations on the account that a credential belongs to: its workspaces, its usage, and the credential itself.
package account

import (
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
