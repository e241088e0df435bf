package connectors_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// Each form makes a connection that its connector understands, and takes its own examples.
func TestEachFormMakesAConnection(t *testing.T) {
	for _, form := range connectors.Forms() {
		cms := form.Type
		entered, faults := form.Read(connectortest.Values(form, "a long random string"), nil, "made-for-it")
		if faults = append(faults, form.Missing(entered.Secrets)...); len(faults) > 0 {
			t.Errorf("%s: the examples are not taken: %v", cms, faults)
		}
		site := siteOf(entered.CMS)
		if got := connectors.SecretOf(site); got != "made-for-it" && cms != v1alpha1.CMSNone {
			t.Errorf("%s: the Secret of the connection is %q", cms, got)
		}
		secrets := map[string]bool{}
		for _, f := range form.Fields {
			if f.MaxLength == 0 || f.Label == "" || f.Help == "" || (f.Secret == "") != (f.Get != nil && f.Set != nil) {
				t.Errorf("%s, %s: %+v", cms, f.Name, f)
			}
			if f.Required && f.Example == "" {
				t.Errorf("%s, %s: a field that is required has an example", cms, f.Name)
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

// The sentence about a value says what it must be, which the help text of its field does not.
func TestAFaultSaysWhatMustBe(t *testing.T) {
	const withPassword = "must be a URL with a host that begins with https://, without user information: the password is sent there"
	for _, test := range []struct {
		cms                v1alpha1.CMSType
		field, value, want string
	}{
		{v1alpha1.CMSHeadless, "url", "ftp://blog.example.com/hook", "must be a URL with a host that begins with https:// or http://, without user information"},
		{v1alpha1.CMSHeadless, "signing_secret", "short", "must have at least 16 characters, in one line"},
		{v1alpha1.CMSHeadless, "payload_format", "xml", "must be one of json, markdown, html"},
		{v1alpha1.CMSWordPress, "url", "blog.example.com", withPassword},
		{v1alpha1.CMSWordPress, "url", "http://blog.example.com", withPassword},
		{v1alpha1.CMSWordPress, "url", "http://localhost.example.com", withPassword},
		{v1alpha1.CMSWordPress, "author", "mara", "must be a number from 1, with at most 15 digits"},
		{v1alpha1.CMSWebflow, "site_id", "my-site", "must have 24 digits and letters from a to f"},
		{v1alpha1.CMSShopify, "shop", "shop.example.com", "must be the shop's own domain in lower case, such as acme.myshopify.com"},
	} {
		form, _ := connectors.FormOf(test.cms)
		_, faults := form.Read(map[string]string{test.field: test.value}, nil, "made")
		if !slices.Contains(faults, siteform.Fault{Field: test.field, Message: test.want}) {
			t.Errorf("%s, %s: %v", test.cms, test.field, faults)
		}
	}
}
