package lifecycle

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// connectionChanged reports whether a cycle ended because of settings of the Site that have changed since.
func connectionChanged(c *v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	untilChange := conditions.Reasons[c.Reason].UntilChange || c.Reason == v1alpha1.ReasonNotSupportedYet
	return c.State == v1alpha1.CycleFailed && untilChange && !SameConnection(c, site)
}

// SameConnection reports whether the Site's settings are those that the last attempt of a cycle used.
func SameConnection(c *v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return c.ConnectionHash == ConnectionHash(site)
}

// ConnectionHash identifies the settings of a Site's connection, and whether it adopts posts. 16 hexadecimal digits are enough to notice a
// change.
func ConnectionHash(site *v1alpha1.Site) string {
	if site.Spec.Publishing.ExistingPosts == v1alpha1.ExistingPostsAdopt {
		return hashOf([]any{site.Spec.CMS, v1alpha1.ExistingPostsAdopt})[:16]
	}
	return hashOf(site.Spec.CMS)[:16]
}
