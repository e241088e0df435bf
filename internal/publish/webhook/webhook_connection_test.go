package webhook_test

import (
	"testing"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

func TestTheConnectionIsThatOfTheSite(t *testing.T) {
	site := publisherFor(client(), clock.RealClock{}, hook{URL: "https://Acme.example/hook"}).target.Site
	c := webhook.Connector{}.Connection(site)
	if c.URL != "https://Acme.example/hook" || c.Host != "acme.example:443" {
		t.Errorf("URL %s, host %s", c.URL, c.Host)
	}
	if len(c.Secrets) != 1 || c.Secrets[0].SecretKeyReference != site.Spec.CMS.Headless.SigningSecretRef || c.Secrets[0].Instead != nil {
		t.Errorf("the secrets are %v, want the signing secret", c.Secrets)
	}
}

// Sites hold the hash of the settings that were tested: another way to compute it would make each of them untested.
func TestTheHashIsOfTheSettings(t *testing.T) {
	site := publisherFor(client(), clock.RealClock{}, hook{URL: "https://acme.example/hook"}).target.Site
	hash := func() string { return webhook.Connector{}.Connection(site).SettingsHash() }
	const want = "63508610c0baf3a7fd7b16249318d4df660c26b4293db1dd89c7f37c7a218add"
	if got := hash(); got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
	site.Spec.DisplayName, site.Spec.Domain = "Another", "other.example"
	if hash() != want {
		t.Error("the hash is of more than the connection")
	}
	site.Spec.CMS.Headless.URL += "/other"
	if hash() == want {
		t.Error("another URL has the same hash")
	}
}
