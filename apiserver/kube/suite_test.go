package kube_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/testenv"
)

func TestKubeOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Kube")
}

var api client.WithWatch

var _ = BeforeSuite(func() { api = testenv.Start().Client })
