package auth

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// Scopes returns all scopes in their order, from the least to the most.
func Scopes() []v1alpha1.Scope { return append(grant.Scopes(), v1alpha1.ScopeManage) }

// SortScopes returns the known scopes among some, in their order and each once.
func SortScopes(scopes []v1alpha1.Scope) []v1alpha1.Scope {
	return slices.DeleteFunc(Scopes(), func(s v1alpha1.Scope) bool { return !slices.Contains(scopes, s) })
}
