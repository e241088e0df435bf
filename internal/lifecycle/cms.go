package lifecycle

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// cmsReasons are the classes of what a CMS answers, which are reasons of conditions too. The first four are final until the Site's
// connection or the article changes.
var cmsReasons = []string{
	v1alpha1.ReasonWrongCredentials, v1alpha1.ReasonMissingPermission, v1alpha1.ReasonNotFound, v1alpha1.ReasonInvalidContent,
	v1alpha1.ReasonRateLimited, v1alpha1.ReasonUnavailable, v1alpha1.ReasonUnexpectedAnswer,
}

// untilChange reports whether a failure of this reason is final until the Site's connection or the article changes.
func untilChange(reason string) bool { return slices.Contains(cmsReasons[:4], reason) }

// RecordConnection records in the cycle which settings of the Site the attempt that has just begun uses.
func RecordConnection(a *v1alpha1.Article, site *v1alpha1.Site) {
	a.Status.Publication.Cycle.ConnectionHash = connectionHash(site)
}

// connectionChanged reports whether a cycle ended because of settings of the Site that have changed since.
func connectionChanged(c *v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return c.State == v1alpha1.CycleFailed && untilChange(c.Reason) && !SameConnection(c, site)
}

// SameConnection reports whether the Site's settings are those that the last attempt of a cycle used.
func SameConnection(c *v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return c.ConnectionHash == connectionHash(site)
}

// connectionHash identifies the settings of a Site's connection. 16 hexadecimal digits are enough to notice a change.
func connectionHash(site *v1alpha1.Site) string { return hashOf(site.Spec.CMS)[:16] }

// RecordSlug records the slug that a CMS gave a post, if it is another than the article's, and reports whether status did not have
// it yet.
func RecordSlug(a *v1alpha1.Article, slug string) (changed bool) {
	p := a.Status.Publication
	before := p.Slug
	p.Slug = Bounded(slug, v1alpha1.MaxSlugBytes)
	return p.Slug != "" && p.Slug != before
}
