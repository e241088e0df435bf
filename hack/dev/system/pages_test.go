package system_test

import (
	"io"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The pages that people see", func() {
	It("are served out of the box", func(ctx SpecContext) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, whole.APIURL()+"/oauth/apps", nil)
		Expect(err).NotTo(HaveOccurred())
		response, err := http.DefaultClient.Do(request)
		Expect(err).NotTo(HaveOccurred())
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(response.StatusCode).To(Equal(http.StatusOK), string(page))
		Expect(string(page)).To(ContainSubstring("API key of the account"))
	}, NodeTimeout(patience))
})
