package rest

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// SiteDetails are what get-site has of a site beyond list-sites. How many articles it may have today is in get-usage.
type SiteDetails struct {
	Host         string `json:"host" doc:"Host that articles are sent to, with the port if the URL has one; empty if nothing is sent." example:"blog.example.com"`
	Suspended    bool   `json:"suspended" doc:"Whether generating and sending is suspended for the site alone."`
	ReviewPolicy string `json:"review_policy" enum:"manual,automatic" doc:"Who approves: a reviewer, or the score and the gates."`
	MinimumScore int32  `json:"minimum_score" minimum:"0" maximum:"100" doc:"seo_score from which on the policy automatic approves."`
	DefaultStage string `json:"default_stage" enum:"review,published" doc:"Stage at which this API creates articles: review waits for publish once they are approved, published does not."`
	Voice        Voice  `json:"voice"`
}

// Voice is how a site speaks.
type Voice struct {
	Tone       string   `json:"tone" doc:"Empty if none is set." example:"friendly and precise"`
	Language   string   `json:"language" doc:"BCP 47 tag." example:"en"`
	Audience   string   `json:"audience" doc:"Empty if none is set."`
	AvoidWords []string `json:"avoid_words" maxItems:"100" doc:"Words that may not appear in texts."`
	Guide      string   `json:"guide" doc:"How the site writes, in its own words; empty if none is set."`
	Examples   []string `json:"examples" maxItems:"3" doc:"Passages that show how the site writes."`
}

// defaultLanguage of a site that names none.
const defaultLanguage = "en"

func presentSiteDetails(site *v1alpha1.Site) SiteDetails {
	spec, voice := site.Spec, site.Spec.BrandVoice
	out := SiteDetails{
		Suspended:    spec.Suspend,
		ReviewPolicy: snakeCase(string(cmp.Or(spec.Review.Policy, v1alpha1.ReviewManual))),
		MinimumScore: spec.Review.MinimumScore,
		DefaultStage: strings.ToLower(string(defaultStage(site))),
		Voice: Voice{
			Tone: voice.Tone, Language: cmp.Or(voice.Language, defaultLanguage), Audience: voice.Audience, Guide: voice.Guide,
			AvoidWords: append([]string{}, voice.AvoidWords...), Examples: append([]string{}, voice.Examples...),
		},
	}
	if connectors.ModeOf(site) == lifecycle.Push {
		// A URL that kubectl stored and that cannot be parsed has no host.
		if to, err := url.Parse(connectors.For(site).Connection(site).URL); err == nil {
			out.Host = to.Host
		}
	}
	return out
}
