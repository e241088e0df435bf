package publish

import (
	"net/url"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// standardPort is the end of a host with the port that its scheme implies.
var standardPort = map[string]string{"http": ":80", "https": ":443"}

// Destination identifies the place that posts go to, in one spelling: host, port unless it is that of the scheme, path and query of the
// URL, and the collection behind it. A receiver at http and https is one. A receiver upserts by slug, so Sites of one destination
// overwrite each other's posts of the same slug. It has at most v1alpha1.MaxDestinationBytes.
func (c Connection) Destination() string {
	destination := c.URL
	if u, err := url.Parse(c.URL); err == nil {
		host := strings.TrimSuffix(egress.Host(c.URL), standardPort[strings.ToLower(u.Scheme)])
		destination = host + strings.TrimRight(u.EscapedPath(), "/")
		if u.RawQuery != "" {
			destination += "?" + u.RawQuery
		}
	}
	if c.Collection != "" {
		destination += "#" + c.Collection
	}
	return destination[:min(len(destination), v1alpha1.MaxDestinationBytes)]
}
