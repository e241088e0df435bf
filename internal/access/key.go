package access

import (
	"context"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// NewKey makes an API key of random bytes. The object, which is not created, has a hash of the secret, which is stored nowhere. If name is
// not empty, the key's id is a function of it: of two keys that are made under one name, only one can be created.
func NewKey(
	cell credential.Cell, name string, spec v1alpha1.APIKeySpec, random io.Reader,
) (*v1alpha1.APIKey, credential.Credential, error) {
	c, err := credential.NewNamed(credential.APIKey, cell, name, random)
	if err != nil {
		return nil, credential.Credential{}, fmt.Errorf("making a key: %w", err)
	}
	spec.SecretHash = c.Hash()
	return &v1alpha1.APIKey{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "APIKey"},
		ObjectMeta: metav1.ObjectMeta{Name: c.ID},
		Spec:       spec,
	}, c, nil
}

// KeysOf returns the API keys of an account. It asks kube-apiserver, which selects them.
func KeysOf(ctx context.Context, store client.Reader, account string) ([]v1alpha1.APIKey, error) {
	var list v1alpha1.APIKeyList
	if err := store.List(ctx, &list, client.MatchingFields{"spec.accountRef.name": account}); err != nil {
		return nil, fmt.Errorf("listing the keys of the account: %w", err)
	}
	return list.Items, nil
}
