package account_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

func TestAccounts(t *testing.T) { RunSuite(t, "Accounts", &api) }

// api is a client of kube-apiserver with the rights of an administrator.
var api client.WithWatch

// tenant has what these specs alone do with a Tenant.
type tenant struct{ *Tenant }

func newTenant() *tenant { return &tenant{NewTenant(api)} }
