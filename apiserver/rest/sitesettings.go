package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// VoiceEdit changes how a site speaks. What is absent stays as it is.
type VoiceEdit struct {
	Tone       *string  `json:"tone,omitempty" maxLength:"200" example:"friendly and precise"`
	Language   *string  `json:"language,omitempty" maxLength:"35" pattern:"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$" patternDescription:"a BCP 47 tag" example:"en"`
	Audience   *string  `json:"audience,omitempty" maxLength:"500"`
	AvoidWords []string `json:"avoid_words,omitempty" maxItems:"100" uniqueItems:"true" minLength:"1" maxLength:"100" doc:"Replaces the whole list."`
	Guide      *string  `json:"guide,omitempty" maxLength:"4000" doc:"How the site writes, in its own words."`
	Examples   []string `json:"examples,omitempty" maxItems:"3" minLength:"1" maxLength:"1500" doc:"Passages that show how the site writes. Replaces the whole list."`
}

// PoliciesEdit are what create-site and edit-site have in common. What is absent stays as it is.
type PoliciesEdit struct {
	Name         *string   `json:"name,omitempty" maxLength:"200" doc:"The site's name as people know it; the domain if it is empty." example:"Example Blog"`
	Voice        VoiceEdit `json:"voice,omitzero"`
	ReviewPolicy *string   `json:"review_policy,omitempty" enum:"manual,automatic" doc:"A change needs the scope approve as well."`
	MinimumScore *int32    `json:"minimum_score,omitempty" minimum:"0" maximum:"100" doc:"From which on automatic approves. A change needs the scope approve as well."`
	DefaultStage *string   `json:"default_stage,omitempty" enum:"review,published"`
}

// SiteSettingsAnswer is a site with everything that edit-site can change of it, without secrets.
type SiteSettingsAnswer struct {
	SiteAnswer

	ConnectionFields map[string]string `json:"connection_fields" doc:"The fields of its cms_type in list-cms-types, without secrets."`
	SigningSecret    string            `json:"signing_secret,omitempty" doc:"Shown once: when it is made."`
}

type (
	// SiteSettingsInput is the input of get-site-settings.
	SiteSettingsInput struct{ OnSite }
	// SiteSettingsOutput is the answer of the operations that manage a site. It may contain a secret, so it is never cached.
	SiteSettingsOutput struct {
		CacheControl string `header:"Cache-Control"`
		Body         SiteSettingsAnswer
	}
)

func (out *SiteSettingsOutput) recorded() operationRecord {
	return operationRecord{object: out.Body.UID}
}

func (s *service) registerSiteSettings() {
	op := s.operation(http.MethodGet, "/v1/api/sites/{uid}/settings", "get-site-settings", editing...)
	op.Summary = "Get a site's settings"
	op.Description = "What edit-site can change, without secrets."
	handle(s.group(tagSites, v1alpha1.ScopeManage), op, s.siteSettings)
}

func (s *service) siteSettings(ctx context.Context, c *call, in *SiteSettingsInput) (*SiteSettingsOutput, error) {
	site, err := s.liveSite(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	return s.settingsOutput(site, ""), nil
}

// indexed returns a site that was read from kube-apiserver as the index has it.
func indexed(site *v1alpha1.Site) index.Site {
	uid := identity.UID(identity.KindSite, site.Namespace, site.Name)
	return index.Site{
		ID: identity.RecordID(uid, site.CreatedAt()), UID: uid, Workspace: site.Namespace, Object: site,
	}
}

func (s *service) settingsOutput(site *v1alpha1.Site, secret string) *SiteSettingsOutput {
	out := SiteSettingsAnswer{
		SiteAnswer: SiteAnswer{
			Envelope: succeeded, Site: s.presentSite(indexed(site)), SiteDetails: presentSiteDetails(site),
		},
		ConnectionFields: map[string]string{}, SigningSecret: secret,
	}
	if form, ok := connectors.FormOf(site.Spec.CMS.Type); ok {
		out.ConnectionFields = form.Values(&site.Spec.CMS)
	}
	return &SiteSettingsOutput{CacheControl: "no-store", Body: out}
}

// apply changes a site, and reports whether the change needs the scope approve.
func (e *PoliciesEdit) apply(site *v1alpha1.Site) (needsApprove bool) {
	spec, before := &site.Spec, presentSiteDetails(site)
	assign(&spec.DisplayName, e.Name)
	e.Voice.apply(&spec.BrandVoice)
	if e.ReviewPolicy != nil && *e.ReviewPolicy != before.ReviewPolicy {
		needsApprove = true
		spec.Review.Policy = v1alpha1.ReviewManual
		if *e.ReviewPolicy == snakeCase(string(v1alpha1.ReviewAutomatic)) {
			spec.Review.Policy = v1alpha1.ReviewAutomatic
		}
	}
	if e.MinimumScore != nil && *e.MinimumScore != before.MinimumScore {
		needsApprove, spec.Review.MinimumScore = true, *e.MinimumScore
	}
	if e.DefaultStage != nil && *e.DefaultStage != before.DefaultStage {
		spec.Publishing.DefaultStage = v1alpha1.DefaultStageReview
		if *e.DefaultStage == snakeCase(string(v1alpha1.DefaultStagePublished)) {
			spec.Publishing.DefaultStage = v1alpha1.DefaultStagePublished
		}
	}
	return needsApprove
}

func (e *VoiceEdit) apply(voice *v1alpha1.BrandVoice) {
	assign(&voice.Tone, e.Tone)
	assign(&voice.Language, e.Language)
	assign(&voice.Audience, e.Audience)
	assign(&voice.Guide, e.Guide)
	if e.AvoidWords != nil {
		voice.AvoidWords = e.AvoidWords
	}
	if e.Examples != nil {
		voice.Examples = e.Examples
	}
}

// assign gives a field its value, if there is one.
func assign[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
