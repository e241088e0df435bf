package sites_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestTheReviewPolicyIsOfferedToThoseWhoMayApprove(t *testing.T) {
	edit := pagetest.In("sites", operationtest.SiteUID, "edit")
	for name, tt := range map[string]struct {
		scopes     []v1alpha1.Scope
		wantStatus int
		wantReview int
	}{
		"all":             {nil, http.StatusOK, 1},
		"without approve": {[]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeManage}, http.StatusOK, 0},
		"without manage":  {[]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}, http.StatusForbidden, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := pagetest.SignIn(t, tt.scopes...)
			page := p.Get(edit)
			p.Want(page, tt.wantStatus, nil)
			if got := page.Find("#review").Length(); got != tt.wantReview {
				t.Errorf("%d fields of the policy, want %d", got, tt.wantReview)
			}
		})
	}
}

func TestTheFormHasTheSettingsAsTheyAre(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.DisplayName, s.Spec.BrandVoice = "Acme", v1alpha1.BrandVoice{Tone: "calm", AvoidWords: []string{"unleash", "game-changer"}}
		s.Spec.Review = v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic, MinimumScore: 70}
	})
	page := p.Get(pagetest.In("sites", operationtest.SiteUID, "edit"))
	p.Want(page, http.StatusOK, map[string]string{"#avoid": "unleash game-changer", "#review [selected]": "Automatic"})
	for field, want := range map[string]string{"name": "Acme", "voice.tone": "calm", "minimum_score": "70"} {
		if got := page.Value("form[action$='/edit'] [name='" + field + "']"); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}
