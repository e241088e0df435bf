// Package account has the operations on the account that a credential belongs to: its workspaces, its usage, and the credential itself.
package account

import "github.com/pressroom-dev/pressroom/apiserver/rest/operation"

type resource struct{ *operation.Core }

// Register adds the operations on the account of a credential.
func Register(core *operation.Core) {
	s := resource{core}
	s.registerWorkspaces()
	s.registerWhoami()
	s.registerUsage()
}
