package oauth

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// consentIndex is the cache's index of grants by who gave them.
const consentIndex = "consent"

// IndexGrants makes the index by which List finds grants, once for each cache. The cost of a list depends on the number of grants
// that a person has given, not on the number of all grants.
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

// consentOf is the value of the index for the grants of a person in an account, or of everybody if person is empty. Names of accounts
// have no slash.
func consentOf(account, person string) string { return account + "/" + person }
