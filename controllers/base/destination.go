package base

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
)

// DestinationIndex is the cache's index of sites by DestinationOf. Package post makes it.
const DestinationIndex = "destination"

// DestinationOf identifies, within a workspace, where the posts of a site are. A site that cannot be published to has a destination of
// its own.
func DestinationOf(site *v1alpha1.Site) string {
	if d := connectors.Destination(site); d != "" {
		return d
	}
	return "site:" + site.Name
}
