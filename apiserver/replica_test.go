package apiserver_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// replica is a running facade.
type replica struct{ *facadetest.Facade }

// startReplica runs a facade until the spec calls Stop.
func startReplica(change func(*apiserver.Options)) *replica {
	GinkgoHelper()
	return &replica{facadetest.Start(cluster, change)}
}

// startForSpec runs a facade until the spec or the suite is over.
func startForSpec(change func(*apiserver.Options)) *replica {
	GinkgoHelper()
	r := startReplica(change)
	DeferCleanup(r.Stop)
	return r
}

var httpClient = &http.Client{Timeout: 30 * time.Second}

// ask sends a request as a tenant. body is JSON text, or anything that has a JSON form.
func (r *replica) ask(t *tenant, method, path string, body any, header ...string) testkit.Answer {
	GinkgoHelper()
	a, err := r.try(t, method, path, body, header...)
	Expect(err).NotTo(HaveOccurred())
	Expect(testkit.WordsOfKubernetes(a)).To(BeEmpty(), a.Raw)
	return a
}

func (r *replica) try(t *tenant, method, path string, body any, header ...string) (testkit.Answer, error) {
	return testkit.TrySend(httpClient, t.Request(method, r.URL+path, body, header...))
}

// failing matches an answer by its status and code.
func failing(status int, code string) OmegaMatcher {
	return And(
		WithTransform(func(a testkit.Answer) int { return a.Status }, Equal(status)),
		WithTransform(func(a testkit.Answer) string { return a.Code() }, Equal(code)),
	)
}

// havingStatus matches an answer by its status code and the article's status.
func havingStatus(code int, status string) OmegaMatcher {
	return And(
		WithTransform(func(a testkit.Answer) int { return a.Status }, Equal(code)),
		WithTransform(func(a testkit.Answer) string { return a.Text("status") }, Equal(status)),
	)
}
