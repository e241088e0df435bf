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
	It("has no route, so that a proxy that guards a prefix is not passed", func() {
		r := startForSpec(withPages())
		for _, plain := range []string{
			"/v1/api/sites", oauth.TokenPath, oauth.ServerPath, oauth.ConsentPath, "/app/account/settings", "/docs/start.js",
		} {
			status, _ := askRawly(r, plain)
			Expect(status).NotTo(Equal(http.StatusNotFound), plain)
			for _, path := range []string{
				"/" + plain, "/." + plain, "/x/.." + plain, "/%2e" + plain, "/x/%2e%2e" + plain, "/%2f" + plain[1:],
				"/" + strings.Replace(plain[1:], "/", "%2f", 1), "/" + strings.Replace(plain[1:], "/", "//", 1),
				"/" + strings.Replace(plain[1:], "/", "/./", 1), fmt.Sprintf("/%%%02x%s", plain[1], plain[2:]),
			} {
				status, header := askRawly(r, path)
				Expect(status).To(Equal(http.StatusNotFound), path)
				Expect(header.Get("x-request-id")).NotTo(BeEmpty(), path)
			}
		}
	})
})

// askRawly sends a path as it is.
func askRawly(r *replica, path string) (int, http.Header) {
	GinkgoHelper()
	c, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
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
