package connectors

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Destination identifies, within a workspace, the place that the posts of a Site are in. It is empty if the Site cannot be
// published to.
func Destination(site *v1alpha1.Site) string {
	switch ModeOf(site) {
	case lifecycle.Push:
		return For(site).Connection(site).Destination()
	case lifecycle.Pull:
		return "pull:" + site.Name
	default:
		return ""
	}
}
