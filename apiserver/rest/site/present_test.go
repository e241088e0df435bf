package site_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func details(api *operationtest.API, change func(*v1alpha1.SiteSpec)) restsite.SiteAnswer {
	api.T.Helper()
	old := api.Site(operationtest.Workspace, operationtest.SiteUID)
	s := old.DeepCopy()
	s.ResourceVersion = "2"
	change(&s.Spec)
	api.Index.Handlers().Sites.OnUpdate(old, s)
	var out restsite.SiteAnswer
	api.Into(operationtest.Request{Path: "/v1/api/sites/" + operationtest.SiteUID, Workspace: "-"}, &out)
	return out
}

func TestASiteHasItsVoiceAndPolicies(t *testing.T) {
	got := details(operationtest.New(t), func(s *v1alpha1.SiteSpec) {
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
	got := details(operationtest.New(t), func(*v1alpha1.SiteSpec) {})
	if got.Suspended || got.ReviewPolicy != "manual" || got.DefaultStage != "review" || got.Host != "" || got.Voice.Language != "en" ||
		got.Voice.AvoidWords == nil || got.Voice.Examples == nil {
		t.Errorf("got %+v", got.SiteDetails)
	}
}
