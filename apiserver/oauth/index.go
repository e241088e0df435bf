package oauth

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// consentIndex is the cache's index of grants by who gave them.
const consentIndex = "consent"

// IndexGrants makes the index by which List finds grants, once for each cache: what a list costs depends on how many grants
// a person has given, and not on how many there are.
func IndexGrants(ctx context.Context, indexer client.FieldIndexer) error {
	err := indexer.IndexField(ctx, &v1alpha1.OAuthGrant{}, consentIndex, func(o client.Object) []string {
		grant, ok := o.(*v1alpha1.OAuthGrant)
		if !ok {
			return nil
		}
		account := grant.Spec.AccountRef.Name
		return []string{consentOf(account, ""), consentOf(account, grant.Spec.Person)}
	})
	if err != nil {
		return fmt.Errorf("indexing grants: %w", err)
	}
	return nil
}

// consentOf is the value of the index for the grants of a person in an account; of everybody where person is empty. No
// account's name has a slash.
func consentOf(account, person string) string { return account + "/" + person }
