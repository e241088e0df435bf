package access_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/access"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

func TestAKeyIsStoredWithoutItsSecret(t *testing.T) {
	spec := v1alpha1.APIKeySpec{DisplayName: "Mara", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}}
	key, secret, err := access.NewKey("7b", "", spec, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if key.Kind != "APIKey" || key.APIVersion != v1alpha1.GroupVersion.String() || key.Name != secret.ID || !strings.HasPrefix(key.Name, "7b") {
		t.Errorf("the object is %s %s %s, want the key %s", key.APIVersion, key.Kind, key.Name, secret.ID)
	}
	if key.Spec.DisplayName != "Mara" || !secret.Matches(key.Spec.SecretHash) || strings.Contains(key.Spec.SecretHash, secret.Reveal()) {
		t.Errorf("the spec is %+v", key.Spec)
	}
}

func TestOneNameMakesOneID(t *testing.T) {
	made := func(name string) (string, string) {
		t.Helper()
		key, secret, err := access.NewKey(credential.DefaultCell, name, v1alpha1.APIKeySpec{}, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key.Name, secret.Reveal()
	}
	first, secret := made("order 4711")
	again, other := made("order 4711")
	if first != again || secret == other {
		t.Errorf("the ids are %s and %s, want one id, with a secret of each key", first, again)
	}
	if one, _ := made(""); one == first {
		t.Error("a key without a name has the id of one with a name")
	}
}

func TestAKeyNeedsRandomBytes(t *testing.T) {
	broken := errors.New("no entropy")
	if _, _, err := access.NewKey(credential.DefaultCell, "", v1alpha1.APIKeySpec{}, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

func TestTheKeysOfAnAccountAreFound(t *testing.T) {
	all := &store{keys: []v1alpha1.APIKey{key("a", "acme", nil), key("b", "rival", nil), key("c", "acme", byKey("a"))}}
	got, err := access.KeysOf(t.Context(), all, "acme")
	if err != nil || len(got) != 2 || got[0].Name != "a" || got[1].Name != "c" {
		t.Errorf("got %v, %v, want the keys a and c", got, err)
	}
}
