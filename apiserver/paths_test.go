package apiserver_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

var _ = Describe("A path that is not in its normal form", func() {
	DescribeTable("has no route, so that a proxy that guards a prefix is not passed", func(plain string) {
		address := strings.TrimPrefix(shared.URL, "http://")
		ask := func(path string) (int, http.Header) {
			GinkgoHelper()
			c, err := net.Dial("tcp", address)
			Expect(err).NotTo(HaveOccurred())
			defer c.Close()
			_, err = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path)
			Expect(err).NotTo(HaveOccurred())
			got, err := http.ReadResponse(bufio.NewReader(c), nil)
			Expect(err).NotTo(HaveOccurred())
			defer got.Body.Close()
			_, err = io.Copy(io.Discard, got.Body)
			Expect(err).NotTo(HaveOccurred())
			return got.StatusCode, got.Header
		}
		status, _ := ask(plain)
		Expect(status).NotTo(Equal(http.StatusNotFound), plain)
		for _, path := range []string{
			"/" + plain, "/." + plain, "/x/.." + plain, "/%2e" + plain, "/x/%2e%2e" + plain, "/%2f" + plain[1:],
			"/" + strings.Replace(plain[1:], "/", "%2f", 1), "/" + strings.Replace(plain[1:], "/", "//", 1),
			"/" + strings.Replace(plain[1:], "/", "/./", 1), fmt.Sprintf("/%%%02x%s", plain[1], plain[2:]),
		} {
			if path == plain {
				continue
			}
			status, header := ask(path)
			Expect(status).To(Equal(http.StatusNotFound), path)
			Expect(header.Get("x-request-id")).NotTo(BeEmpty(), path)
		}
	},
		Entry("of the REST API", "/v1/api/sites"), Entry("of OAuth", oauth.TokenPath), Entry("of its metadata", oauth.ServerPath),
		Entry("of the consent page", oauth.ConsentPath), Entry("of the dashboard", "/app/account"), Entry("of the reference", "/docs/start.js"),
	)
})
