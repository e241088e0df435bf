//go:build e2e

package browser_test

import (
	"slices"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// labelBench is the label of the specs that measure. They are no tests: nothing is asserted of what depends on the machine.
const labelBench = "bench"

// measured is the benchmark that is running; nil in a test.
var measured *testing.B

// BenchmarkDashboardInABrowser reports what `make bench` measures in a browser. A suite runs once: -benchtime is 1x.
func BenchmarkDashboardInABrowser(b *testing.B) {
	measured = b
	describeSpeed()
	describeUpdates()
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(2 * time.Minute)
	suite, reporter := GinkgoConfiguration()
	suite.LabelFilter = labelBench
	RunSpecs(b, "Dashboard in a browser, measured", suite, reporter)
}

// report reports some percentiles of times in milliseconds; 100 is the longest of them.
func report(times []float64, name string, percentiles map[int]string) {
	slices.Sort(times)
	for percent, unit := range percentiles {
		measured.ReportMetric(times[min(len(times)*percent/100, len(times)-1)], "ms-"+name+"-"+unit)
	}
}
