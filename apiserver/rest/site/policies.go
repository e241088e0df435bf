package site

import (
	"cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

// SiteVoiceRequest are how a site speaks, in a request.
type SiteVoiceRequest struct {
	Tone       patch.Member[string]   `json:"tone,omitzero" maxLength:"200" doc:"How texts sound." example:"friendly and precise"`
	Language   patch.Member[string]   `json:"language,omitzero" maxLength:"35" pattern:"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$" patternDescription:"a BCP 47 tag" doc:"Language of texts, as a BCP 47 tag." example:"en"`
	Audience   patch.Member[string]   `json:"audience,omitzero" maxLength:"500" doc:"Whom the site writes for."`
	AvoidWords patch.Member[[]string] `json:"avoid_words,omitzero" maxItems:"100" uniqueItems:"true" minLength:"1" maxLength:"100" doc:"The whole list."`
	Guide      patch.Member[string]   `json:"guide,omitzero" maxLength:"4000" doc:"How the site writes, in its own words."`
	Examples   patch.Member[[]string] `json:"examples,omitzero" maxItems:"3" minLength:"1" maxLength:"1500" doc:"Passages that show how the site writes; the whole list."`
}

// PolicyFields are the name, the voice and the policies of a site in a request. What is absent stays as it is; null is the default.
type PolicyFields struct {
	Name         patch.Member[string] `json:"name,omitzero" maxLength:"200" doc:"The site's name as people know it; the domain if it is empty." example:"Example Blog"`
	Voice        SiteVoiceRequest     `json:"voice,omitzero"`
	ReviewPolicy patch.Member[string] `json:"review_policy,omitzero" enum:"manual,automatic" doc:"A change needs the scope approve as well."`
	MinimumScore patch.Member[int32]  `json:"minimum_score,omitzero" minimum:"0" maximum:"100" doc:"From which on automatic approves. A change needs the scope approve as well."`
	DefaultStage patch.Member[string] `json:"default_stage,omitzero" enum:"review,published" doc:"Stage at which this API creates articles; review if it is null."`
	Updates      patch.Member[string] `json:"updates,omitzero" enum:"frozen,reviewed" doc:"Whether published articles are updated, each through review; frozen if it is null. With reviewed, a site of the type headless is sent post.publish again."`
	Removal      patch.Member[string] `json:"removal,omitzero" enum:"keep,unpublish" doc:"What becomes of the post of a published article that is archived; keep if it is null. A site of the type headless has only keep."`
}

// apply changes a site, and reports whether the change needs the scope approve.
func (f *PolicyFields) apply(site *v1alpha1.Site) (needsApprove bool) {
	spec, before := &site.Spec, reviewOf(site)
	f.Name.Change(&spec.DisplayName)
	f.Voice.apply(&spec.BrandVoice)
	changeWord(f.ReviewPolicy, &spec.Review.Policy, v1alpha1.ReviewManual, v1alpha1.ReviewAutomatic)
	f.MinimumScore.Change(&spec.Review.MinimumScore)
	changeWord(f.DefaultStage, &spec.Publishing.DefaultStage, v1alpha1.DefaultStageReview, v1alpha1.DefaultStagePublished)
	changeWord(f.Updates, &spec.Publishing.Updates, v1alpha1.UpdatesFrozen, v1alpha1.UpdatesReviewed)
	changeWord(f.Removal, &spec.Publishing.Removal, v1alpha1.RemovalKeep, v1alpha1.RemovalUnpublish)
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
	review.Policy = cmp.Or(review.Policy, v1alpha1.ReviewManual)
	return review
}

func (f *SiteVoiceRequest) apply(voice *v1alpha1.BrandVoice) {
	f.Tone.Change(&voice.Tone)
	f.Language.Change(&voice.Language)
	f.Audience.Change(&voice.Audience)
	f.AvoidWords.Change(&voice.AvoidWords)
	f.Guide.Change(&voice.Guide)
	f.Examples.Change(&voice.Examples)
}

// changeWord gives a field one of its values, which the REST API writes in lower case. The first one is the default.
func changeWord[T ~string](m patch.Member[string], field *T, values ...T) {
	if !m.Given {
		return
	}
	*field = cmp.Or(operation.ParseEnum(m.Value, values...), values[0])
}
