package connectors_test

import (
	"regexp"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
)

// Each type of the contract, section 2, has a form, and each form makes a connection that its connector understands.
func TestEachTypeOfCMSHasAForm(t *testing.T) {
	types := []v1alpha1.CMSType{
		v1alpha1.CMSWordPress, v1alpha1.CMSWebflow, v1alpha1.CMSShopify, v1alpha1.CMSHeadless, v1alpha1.CMSNone,
	}
	if got := len(connectors.Forms()); got != len(types) {
		t.Errorf("%d forms, want %d", got, len(types))
	}
	for _, cms := range types {
		form, ok := connectors.FormOf(cms)
		if !ok {
			t.Errorf("%s has no form", cms)
			continue
		}
		entered, _ := form.Read(nil, nil, "made-for-it")
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: entered.CMS}}
		if got := connectors.SecretOf(site); got != "made-for-it" && cms != v1alpha1.CMSNone {
			t.Errorf("%s: the Secret of the connection is %q", cms, got)
		}
		secrets := map[string]bool{}
		for _, f := range form.Fields {
			if _, err := regexp.Compile(f.Pattern); err != nil || f.MaxLength == 0 || f.Label == "" || f.Help == "" {
				t.Errorf("%s, %s: %+v, %v", cms, f.Name, f, err)
			}
			secrets[f.Secret] = true
		}
		if cms == v1alpha1.CMSNone {
			continue
		}
		for _, ref := range connectors.For(site).Connection(site).Secrets {
			for _, key := range append(ref.Instead, ref.Key) {
				if !secrets[key] {
					t.Errorf("%s: nobody can enter the value for the key %s", cms, key)
				}
			}
		}
	}
}

func TestCredentialsAreNeverTakenOver(t *testing.T) {
	form, _ := connectors.FormOf(v1alpha1.CMSWordPress)
	all := map[string]string{"url": "https://a.example", "username": "u", "password": "p", "tags": "a, b,a"}
	first, faults := form.Read(all, nil, "one")
	if len(faults) > 0 || len(form.Missing(first.Secrets)) > 0 || len(first.CMS.WordPress.Tags) != 2 {
		t.Fatalf("%+v: %v", first, faults)
	}
	second, faults := form.Read(map[string]string{"url": "https://b.example"}, &first.CMS, "two")
	if len(faults) > 0 || len(second.Secrets) > 0 || second.CMS.WordPress.CredentialsSecretRef.Name != "two" || len(second.CMS.WordPress.Tags) != 2 {
		t.Errorf("%+v: %v", second, faults)
	}
	if missing := form.Missing(second.Secrets); len(missing) != 2 {
		t.Errorf("missing are %v, want both credentials", missing)
	}
	if removed, _ := form.Read(map[string]string{"tags": ""}, &first.CMS, "one"); len(removed.CMS.WordPress.Tags) != 0 {
		t.Errorf("an empty value removes nothing: %v", removed.CMS.WordPress.Tags)
	}
}
