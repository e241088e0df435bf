package dashboard_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

func TestDashboard(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(30 * time.Second)
	RunSpecs(t, "Dashboard")
}

// facades are two replicas.
var facades *dashboardtest.Facades

var _ = BeforeSuite(func() { facades = dashboardtest.Start(2) })
