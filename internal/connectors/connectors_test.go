package connectors_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestWhatEachTypeOfCMSSupports(t *testing.T) {
	for cms, want := range map[v1alpha1.CMSType]struct {
		mode   lifecycle.Mode
		tested bool
	}{
		v1alpha1.CMSHeadless:  {lifecycle.Push, true},
		v1alpha1.CMSNone:      {lifecycle.Pull, false},
		v1alpha1.CMSWordPress: {lifecycle.Push, true},
		v1alpha1.CMSWebflow:   {lifecycle.Push, true},
		v1alpha1.CMSShopify:   {lifecycle.Push, true},
		"Other":               {lifecycle.Unsupported, false},
	} {
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: v1alpha1.SiteCMS{Type: cms}}}
		if got := connectors.ModeOf(site); got != want.mode {
			t.Errorf("%s: the mode is %s, want %s", cms, got, want.mode)
		}
		if got := connectors.For(site) != nil; got != (want.mode == lifecycle.Push) {
			t.Errorf("%s: has a connector: %t", cms, got)
		}
		if got := connectors.TesterFor(site) != nil; got != want.tested {
			t.Errorf("%s: has a tester: %t, want %t", cms, got, want.tested)
		}
	}
}

func TestASiteThatDoesNotExistHasNoMode(t *testing.T) {
	if got := connectors.ModeOf(nil); got != lifecycle.Unsupported {
		t.Errorf("the mode is %s, want %s", got, lifecycle.Unsupported)
	}
}

// Secrets name these addresses in an annotation, which no upgrade changes.
func TestTheAddressThatSecretsAreForIsTheOneThatPeopleType(t *testing.T) {
	for want, cms := range map[string]v1alpha1.SiteCMS{
		"https://acme.example/hook?a=b": {Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: "https://acme.example/hook?a=b"}},
		"https://acme.example/blog":     {Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{URL: "https://acme.example/blog"}},
		"https://acme.myshopify.com":    {Type: v1alpha1.CMSShopify, Shopify: &v1alpha1.ShopifyConnection{Shop: "acme.myshopify.com", BlogID: "1"}},
		"https://api.webflow.com":       {Type: v1alpha1.CMSWebflow, Webflow: &v1alpha1.WebflowConnection{}},
	} {
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: cms}}
		if got := connectors.For(site).Connection(site).Address; got != want {
			t.Errorf("%s: the address is %q, want %q", cms.Type, got, want)
		}
	}
}
