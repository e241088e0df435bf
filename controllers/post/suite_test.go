package post_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

func TestPosts(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Posts")
}

// api is a client of kube-apiserver with the rights of an administrator.
var api client.WithWatch

var _ = BeforeSuite(func() { api = testenv.Start().Client })

// tenant has what these specs alone do with a Tenant.
type tenant struct{ *Tenant }

func newTenant() *tenant { return &tenant{NewTenant(api)} }
