package auth_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// Whoever signs in has all accounts looked through: their ledgers are large, and change with every charge.
func TestTheCacheOfAccountsHasMembersAndNoLedger(t *testing.T) {
	account := &v1alpha1.Account{
		ObjectMeta: metav1.ObjectMeta{Name: "acme"},
		Spec:       v1alpha1.AccountSpec{Members: []v1alpha1.AccountMember{{}}},
	}
	account.Status.Usage.CreditsUsed = 7
	for kind, options := range auth.CacheByObject() {
		if _, ok := kind.(*v1alpha1.Account); !ok {
			continue
		}
		if _, err := options.Transform(account); err != nil {
			t.Fatal(err)
		}
	}
	if account.Status.Usage.CreditsUsed != 0 || len(account.Spec.Members) != 1 {
		t.Errorf("the cache holds %+v", account)
	}
}
