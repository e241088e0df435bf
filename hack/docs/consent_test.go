//go:build e2e

package docs

import (
	"net/url"

	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// consent has the person with the key of the reader let a client in at an address of the consent page. It returns where the browser is
// sent to.
func (r *reader) consent(address string) *url.URL {
	r.Helper()
	return testkit.Consent(r.T, address, r.APIKey, "read", "write")
}
