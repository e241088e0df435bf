package rest_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

func (api *restAPI) details(change func(*v1alpha1.SiteSpec)) restsite.SiteAnswer {
	api.t.Helper()
	old := api.site(workspace, siteUID)
	s := old.DeepCopy()
	s.ResourceVersion = "2"
	change(&s.Spec)
	api.index.Handlers().Sites.OnUpdate(old, s)
	var out restsite.SiteAnswer
	api.into(request{path: "/v1/api/sites/" + siteUID, workspace: "-"}, &out)
	return out
}

func TestASiteHasItsVoiceAndPolicies(t *testing.T) {
	got := newAPI(t).details(func(s *v1alpha1.SiteSpec) {
		s.Suspend = true
		s.Review = v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic, MinimumScore: 70}
		s.Publishing.DefaultStage = v1alpha1.DefaultStagePublished
		s.BrandVoice = v1alpha1.BrandVoice{
			Tone: "calm", Language: "de-CH", Audience: "hikers", AvoidWords: []string{"unleash"}, Guide: "Short.", Examples: []string{"So."},
		}
		s.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: "https://hooks.example.com/secret-path"}}
	})
	if !got.Suspended || got.ReviewPolicy != "automatic" || got.MinimumScore != 70 || got.DefaultStage != "published" || got.Host != "hooks.example.com" {
		t.Errorf("got %+v", got.SiteDetails)
	}
	v := got.Voice
	if v.Tone != "calm" || v.Language != "de-CH" || v.Audience != "hikers" || v.Guide != "Short." || len(v.AvoidWords) != 1 || len(v.Examples) != 1 {
		t.Errorf("the voice is %+v", v)
	}
}

func TestASiteThatSetsNothingHasTheDefaults(t *testing.T) {
	got := newAPI(t).details(func(*v1alpha1.SiteSpec) {})
	if got.Suspended || got.ReviewPolicy != "manual" || got.DefaultStage != "review" || got.Host != "" || got.Voice.Language != "en" ||
		got.Voice.AvoidWords == nil || got.Voice.Examples == nil {
		t.Errorf("got %+v", got.SiteDetails)
	}
}
