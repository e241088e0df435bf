package publish

import (
	"net/url"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// Destination identifies the place that posts go to, in one spelling: host, port, path and query of the URL, and the collection
// behind it. A receiver upserts by slug, so Sites of one destination overwrite each other's posts of the same slug. It has at
// most v1alpha1.MaxDestinationBytes.
func (c Connection) Destination() string {
	destination := c.URL
	if u, err := url.Parse(c.URL); err == nil {
		destination = egress.Host(c.URL) + strings.TrimRight(u.EscapedPath(), "/")
		if u.RawQuery != "" {
			destination += "?" + u.RawQuery
		}
	}
	if c.Collection != "" {
		destination += "#" + c.Collection
	}
	return destination[:min(len(destination), v1alpha1.MaxDestinationBytes)]
}
