package auth_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

func TestAuthOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Auth")
}

var (
	cluster   *testenv.Cluster
	api       client.WithWatch
	informers cache.Cache
)

var _ = BeforeSuite(func() {
	cluster = testenv.Start()
	api = cluster.Client
	informers = cluster.NewCache(auth.CacheByObject())
	testenv.StartCache(informers)
})
