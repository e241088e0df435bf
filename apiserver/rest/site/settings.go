package site

import (
	"cmp"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

// VoiceFields are how a site speaks, in a request. Their tag expected describes what a client has read of them.
type VoiceFields struct {
	Tone       patch.Member[string]   `json:"tone,omitzero" maxLength:"200" doc:"How texts sound." expected:"How texts sound." example:"friendly and precise"`
	Language   patch.Member[string]   `json:"language,omitzero" maxLength:"35" pattern:"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$" patternDescription:"a BCP 47 tag" doc:"Language of texts, as a BCP 47 tag." expected:"Language of texts, as a BCP 47 tag." example:"en"`
	Audience   patch.Member[string]   `json:"audience,omitzero" maxLength:"500" doc:"Whom the site writes for." expected:"Whom the site writes for."`
	AvoidWords patch.Member[[]string] `json:"avoid_words,omitzero" maxItems:"100" uniqueItems:"true" minLength:"1" maxLength:"100" doc:"The whole list." expected:"The whole list that you read."`
	Guide      patch.Member[string]   `json:"guide,omitzero" maxLength:"4000" doc:"How the site writes, in its own words." expected:"Guide that you read."`
	Examples   patch.Member[[]string] `json:"examples,omitzero" maxItems:"3" minLength:"1" maxLength:"1500" doc:"Passages that show how the site writes; the whole list." expected:"The whole list that you read."`
}

// PolicyFields are the name, the voice and the policies of a site in a request. What is absent stays as it is; null is the default. V is
// SiteVoiceRequest, or ExpectedSiteVoice.
type PolicyFields[V any] struct {
	Name         patch.Member[string] `json:"name,omitzero" maxLength:"200" doc:"The site's name as people know it; the domain if it is empty." expected:"Name, by which people know it." example:"Example Blog"`
	Voice        V                    `json:"voice,omitzero"`
	ReviewPolicy patch.Member[string] `json:"review_policy,omitzero" enum:"manual,automatic" doc:"A change needs the scope approve as well." expected:"Policy that you read."`
	MinimumScore patch.Member[int32]  `json:"minimum_score,omitzero" minimum:"0" maximum:"100" doc:"From which on automatic approves. A change needs the scope approve as well." expected:"Score that you read."`
	Approvals    patch.Member[int32]  `json:"approvals,omitzero" minimum:"1" maximum:"5" doc:"How many people must approve a text; 1 if it is null. It must be 1 with automatic. A change needs the scope approve as well." expected:"Number that you read."`
	DefaultStage patch.Member[string] `json:"default_stage,omitzero" enum:"review,published" doc:"Stage at which this API creates articles; review if it is null." expected:"Stage that you read."`
	Updates      patch.Member[string] `json:"updates,omitzero" enum:"frozen,reviewed" doc:"Whether published articles are updated, each through review; frozen if it is null. With reviewed, a site of the type headless is sent post.publish again." expected:"Policy of updates that you read."`
	Citations    patch.Member[string] `json:"citations,omitzero" enum:"links,none" doc:"Whether citations of a brief's sources are links in generated texts; links if it is null." expected:"Policy of citations that you read."`
	Removal      patch.Member[string] `json:"removal,omitzero" enum:"keep,unpublish" doc:"What becomes of the post of a published article that is archived; keep if it is null. A site of the type headless has only keep." expected:"Policy of removal that you read."`
}

// BriefFields name the brief of a site in a request.
type BriefFields struct {
	BriefUID patch.Member[string] `json:"brief_uid,omitzero" maxLength:"36" doc:"Brief of the site's articles that name none, from list-briefs; null or empty for none." expected:"uid that you read; empty for none."`
}

// SettingFields are all settings of a site in a request.
type SettingFields[V any] struct {
	Domain     *string            `json:"domain,omitempty" minLength:"1" maxLength:"253" pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$" patternDescription:"a host name without scheme or path" doc:"Domain of the site, without scheme and path." expected:"Domain of the site, without scheme and path."`
	CMSType    *CMSType           `json:"cms_type,omitempty" expected:"Type of CMS that you read."`
	Connection ConnectionUpdate   `json:"connection,omitempty"`
	Suspended  patch.Member[bool] `json:"suspended,omitzero" doc:"True stops generating and sending for the site. What an operator has suspended stays so: 409." expected:"Whether it was suspended."`
	PolicyFields[V]
	BriefFields
}

type (
	// SiteVoiceRequest changes how a site speaks.
	SiteVoiceRequest struct{ VoiceFields }
	// ExpectedSiteVoice is a voice that a client has read.
	ExpectedSiteVoice struct{ VoiceFields }
	// ExpectedSite has the settings that a client has read. Absent members are not compared.
	ExpectedSite struct {
		SettingFields[ExpectedSiteVoice]
	}
)

// TransformSchema describes what a client has read.
func (ExpectedSiteVoice) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	return operation.ExpectedSchema[ExpectedSiteVoice](r, s)
}

// TransformSchema describes what a client has read.
func (ExpectedSite) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	return operation.ExpectedSchema[ExpectedSite](r, s)
}

// setting is one of the voice and the policies of a site: show puts what the site has into an answer, and change what a request has into
// the site.
type setting struct{ show, change func() }

// settings are the voice and the policies of a site, each with its places in the site, in an answer and in a request.
func settings(spec *v1alpha1.SiteSpec, shown *SiteDetails, r *PolicyFields[SiteVoiceRequest]) []setting {
	voice, shownVoice, asked := &spec.BrandVoice, &shown.Voice, &r.Voice
	review, publishing := &spec.Review, &spec.Publishing
	return []setting{
		text(&voice.Tone, &shownVoice.Tone, asked.Tone, ""),
		text(&voice.Language, &shownVoice.Language, asked.Language, defaultLanguage),
		text(&voice.Audience, &shownVoice.Audience, asked.Audience, ""),
		list(&voice.AvoidWords, &shownVoice.AvoidWords, asked.AvoidWords),
		text(&voice.Guide, &shownVoice.Guide, asked.Guide, ""),
		list(&voice.Examples, &shownVoice.Examples, asked.Examples),
		word(&review.Policy, &shown.ReviewPolicy, r.ReviewPolicy, v1alpha1.ReviewManual, v1alpha1.ReviewAutomatic),
		number(&review.MinimumScore, &shown.MinimumScore, r.MinimumScore),
		approvals(&review.Approvals, &shown.Approvals, r.Approvals),
		word(&publishing.DefaultStage, &shown.DefaultStage, r.DefaultStage, v1alpha1.DefaultStageReview, v1alpha1.DefaultStagePublished),
		word(&publishing.Updates, &shown.Updates, r.Updates, v1alpha1.UpdatesFrozen, v1alpha1.UpdatesReviewed),
		word(&publishing.Citations, &shown.Citations, r.Citations, v1alpha1.CitationLinks, v1alpha1.CitationNone),
		word(&publishing.Removal, &shown.Removal, r.Removal, v1alpha1.RemovalKeep, v1alpha1.RemovalUnpublish),
	}
}

// defaultLanguage of a site that names none.
const defaultLanguage = "en"

// text is a setting that answers show with a default if it is empty.
func text(at, shown *string, m patch.Member[string], byDefault string) setting {
	return setting{show: func() { *shown = cmp.Or(*at, byDefault) }, change: func() { m.Change(at) }}
}

func number(at, shown *int32, m patch.Member[int32]) setting {
	return setting{show: func() { *shown = *at }, change: func() { m.Change(at) }}
}

// approvals is a number of people. One is stored as none: that is the default.
func approvals(at, shown *int32, m patch.Member[int32]) setting {
	return setting{
		show: func() { *shown = cmp.Or(*at, 1) },
		change: func() {
			if m.Change(at); m.Given && *at == 1 {
				*at = 0
			}
		},
	}
}

// list is a setting that an answer shows as an empty list if there is none.
func list(at, shown *[]string, m patch.Member[[]string]) setting {
	return setting{show: func() { *shown = append([]string{}, *at...) }, change: func() { m.Change(at) }}
}

// word is a setting with few values, which the REST API writes in lower case. The first one is the default.
func word[T ~string](at *T, shown *string, m patch.Member[string], values ...T) setting {
	return setting{
		show: func() { *shown = lower(cmp.Or(*at, values[0])) },
		change: func() {
			if m.Given {
				*at = cmp.Or(operation.ParseEnum(m.Value, values...), values[0])
			}
		},
	}
}

// apply changes a site as a request says, and reports whether the change needs the scope approve.
func apply(f *PolicyFields[SiteVoiceRequest], site *v1alpha1.Site) (needsApprove bool) {
	before := reviewOf(site)
	f.Name.Change(&site.Spec.DisplayName)
	for _, s := range settings(&site.Spec, &SiteDetails{}, f) {
		s.change()
	}
	return reviewOf(site) != before
}

// republish has the receiver of a site get its updates.
func republish(cms v1alpha1.SiteCMS, site *v1alpha1.Site) {
	if cms.Headless != nil && site.UpdatesPosts() {
		cms.Headless.Updates = v1alpha1.HeadlessUpdatesRepublish
	}
}

// reviewOf returns who approves, with the default.
func reviewOf(site *v1alpha1.Site) v1alpha1.SiteReview {
	review := site.Spec.Review
	review.Policy, review.Approvals = cmp.Or(review.Policy, v1alpha1.ReviewManual), cmp.Or(review.Approvals, 1)
	return review
}
