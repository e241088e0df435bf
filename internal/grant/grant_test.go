package grant_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

func TestAGrantGivesNothingWithAnotherKeyOfTheSameID(t *testing.T) {
	account := &v1alpha1.Account{}
	account.Name = "acme"
	key := &v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{AccountRef: v1alpha1.AccountReference{Name: "acme"}, Scopes: grant.Scopes()}}
	key.Name, key.UID = "aa3kq2vxw5ntb6ha", "later"
	for given, want := range map[string]bool{"earlier": false, "later": true, "": true} {
		g := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
			AccountRef: v1alpha1.AccountReference{Name: "acme"}, Person: grant.PersonOfKey(key.Name), KeyUID: given, Scopes: grant.Scopes(),
		}}
		_, reason, valid := grant.Of(g, grant.Giver{Account: account, Key: key})
		if valid != want || !valid && reason != v1alpha1.ReasonKeyRevoked {
			t.Errorf("given with the key %q it is valid: %v, %s", given, valid, reason)
		}
	}
}

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

// Where several people must approve, a key counts once under all its display names, and a person once with all their apps.
func TestWhoStandsBehindAName(t *testing.T) {
	for name, want := range map[string]string{
		"mara@acme.example":                        "mara@acme.example",
		"mara@acme.example (app tool)":             "mara@acme.example",
		"Mara (api-key:aa3kq2vxw5ntb6ha)":          "api-key:aa3kq2vxw5ntb6ha",
		"Mara B. (api-key:aa3kq2vxw5ntb6ha)":       "api-key:aa3kq2vxw5ntb6ha",
		"api-key:aa3kq2vxw5ntb6ha":                 "api-key:aa3kq2vxw5ntb6ha",
		"api-key:aa3kq2vxw5ntb6ha (app tool)":      "api-key:aa3kq2vxw5ntb6ha",
		"jo (app tool) (api-key:bb3kq2vxw5ntb6h)":  "api-key:bb3kq2vxw5ntb6h",
		"x (api-key:aa3kq2vxw5ntb6ha) (api-key:b)": "api-key:b",
		"system:serviceaccount:acme:bot":           "system:serviceaccount:acme:bot",
		"Mara (editor)":                            "Mara (editor)",
	} {
		if got := grant.PersonBehind(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
