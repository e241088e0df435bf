package controllers_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/testenv"
)

func TestControllers(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Controllers")
}

var (
	cluster *testenv.Cluster
	api     client.WithWatch
)

var _ = BeforeSuite(func() {
	cluster = testenv.Start()
	api = cluster.Client
})
