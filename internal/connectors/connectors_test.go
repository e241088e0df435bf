package connectors_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/connectortest"
	"github.com/pressroom-dev/pressroom/test/project"
)

func siteOf(cms v1alpha1.SiteCMS) *v1alpha1.Site {
	return &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: cms}}
}

// Each value that the API has for the type of a site has its line in the registry, and there are no others.
func TestEachTypeOfTheAPICanBePublishedTo(t *testing.T) {
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct{ OpenAPIV3Schema map[string]any }
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(project.Root(), "config", "crd", "bases", "pressroom.dev_sites.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	want, _, err := unstructured.NestedSlice(crd.Spec.Versions[0].Schema.OpenAPIV3Schema,
		"properties", "spec", "properties", "cms", "properties", "type", "enum")
	if err != nil {
		t.Fatal(err)
	}
	got := []any{}
	for _, form := range connectors.Forms() {
		got = append(got, string(form.Type))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the registry has %v, the API %v", got, want)
	}
}

// A CMS is published to, its connection can be tested, and its Secret is for an address.
func TestEachCMSIsPublishedTo(t *testing.T) {
	for _, form := range connectors.Forms() {
		if form.Type == v1alpha1.CMSNone {
			continue
		}
		site := siteOf(connectortest.Example(form, "made-for-it"))
		if got := connectors.ModeOf(site); got != lifecycle.Push {
			t.Errorf("%s: the mode is %s, want %s", form.Type, got, lifecycle.Push)
		}
		if connectors.TesterFor(site) == nil {
			t.Errorf("%s: nothing tests the connection", form.Type)
		}
		c := connectors.For(site).Connection(site)
		if c.Endpoint == "" || c.Credentials == "" || c.URL == "" || c.Host == "" || !strings.HasPrefix(c.Address, "https://") || c.Settings == nil {
			t.Errorf("%s: the connection says too little: %+v", form.Type, c)
		}
	}
}

func TestWhatOtherTypesSupport(t *testing.T) {
	for cms, want := range map[v1alpha1.CMSType]struct {
		mode   lifecycle.Mode
		tested bool
	}{
		v1alpha1.CMSHeadless: {lifecycle.Push, true},
		v1alpha1.CMSNone:     {lifecycle.Pull, false},
		"Other":              {lifecycle.Unsupported, false},
	} {
		site := siteOf(v1alpha1.SiteCMS{Type: cms})
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
		site := siteOf(cms)
		if got := connectors.For(site).Connection(site).Address; got != want {
			t.Errorf("%s: the address is %q, want %q", cms.Type, got, want)
		}
	}
}
