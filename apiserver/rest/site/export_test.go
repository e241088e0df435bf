package site

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// Rewritten returns how a site is shown once a request has changed its voice and its policies.
func Rewritten(r PolicyFields[SiteVoiceRequest], site *v1alpha1.Site) SiteDetails {
	apply(&r, site)
	return presentDetails(site)
}
