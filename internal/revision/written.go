package revision

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
)

// Language of a site's texts as a BCP 47 tag, English if the site names none.
func Language(site *v1alpha1.Site) string {
	if l := site.Spec.BrandVoice.Language; l != "" {
		return l
	}
	return "en"
}

// WrittenInput is what an author's text is scored by, beside the document: what its article and site ask for now. Either may be nil.
func WrittenInput(g *v1alpha1.GenerateRequest, site *v1alpha1.Site) check.Input {
	var in check.Input
	if g != nil {
		in.Keyword, in.SecondaryKeywords = g.Keyword, g.SecondaryKeywords
	}
	if site != nil {
		in.AvoidWords, in.SiteURL = site.Spec.BrandVoice.AvoidWords, siteURL(site.Spec.Domain)
	}
	return in
}

func siteURL(domain string) string {
	if domain == "" {
		return ""
	}
	return "https://" + domain
}
