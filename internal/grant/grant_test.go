package grant_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

func TestNoGrantOpensManage(t *testing.T) {
	all := append(grant.Scopes(), v1alpha1.ScopeManage)
	account := &v1alpha1.Account{Spec: v1alpha1.AccountSpec{Members: []v1alpha1.AccountMember{{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: all}}}}
	account.Name = "acme"
	key := &v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{AccountRef: v1alpha1.AccountReference{Name: "acme"}, Scopes: all}}
	key.Name = "aa3kq2vxw5ntb6ha"
	for _, person := range []string{"mara@acme.example", grant.PersonOfKey(key.Name)} {
		given := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
			AccountRef: v1alpha1.AccountReference{Name: "acme"}, Person: person, Scopes: all,
		}}
		rights, reason, valid := grant.Of(given, grant.Giver{Account: account, Key: key})
		if !valid || !slices.Equal(rights.Scopes, grant.Scopes()) {
			t.Errorf("a grant of %s opens %v (%s), want %v", person, rights.Scopes, reason, grant.Scopes())
		}
	}
}
