//go:build e2e

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

	It("sign a person in to the dashboard by the link that `make run` prints, once", func(ctx SpecContext) {
		link, err := whole.SignInLink(ctx)
		Expect(err).NotTo(HaveOccurred())
		browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		open := func() *http.Response {
			GinkgoHelper()
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
			Expect(err).NotTo(HaveOccurred())
			response, err := browser.Do(request)
			Expect(err).NotTo(HaveOccurred())
			Expect(response.Body.Close()).To(Succeed())
			return response
		}
		first := open()
		Expect(first.StatusCode).To(Equal(http.StatusSeeOther))
		Expect(first.Header.Get("Location")).To(Equal("/app"))
		Expect(first.Cookies()).To(ContainElement(HaveField("Name", "__Host-pressroom-session")))
		Expect(open().StatusCode).To(Equal(http.StatusGone))
	}, NodeTimeout(patience))
})
