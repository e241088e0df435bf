package webhook_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

func TestAChangeByTheFormKeepsWhatItHasNoFieldFor(t *testing.T) {
	before := v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
		URL: "https://a.example", Updates: v1alpha1.HeadlessUpdatesRepublish, PayloadFormat: v1alpha1.PayloadHTML,
		SigningSecretRef: v1alpha1.SecretKeyReference{Name: "by-hand", Key: "chosen"},
	}}
	for _, test := range []struct{ secret, wantKey string }{{"by-hand", "chosen"}, {"another", "signingSecret"}} {
		entered, faults := webhook.Form().Read(map[string]string{"url": "https://b.example"}, &before, test.secret)
		h := entered.CMS.Headless
		if len(faults) > 0 || h.URL != "https://b.example" || h.Updates != v1alpha1.HeadlessUpdatesRepublish ||
			h.PayloadFormat != v1alpha1.PayloadHTML || h.SigningSecretRef.Name != test.secret || h.SigningSecretRef.Key != test.wantKey {
			t.Errorf("%s: %+v: %v", test.secret, h, faults)
		}
	}
}
