package siteform_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// form has a field of each kind. A change of format needs no credential.
func form() siteform.Form {
	format := siteform.Choice("format", "Format", "json or html.",
		func(cms *v1alpha1.SiteCMS) *v1alpha1.PayloadFormat { return &cms.Headless.PayloadFormat }, v1alpha1.PayloadJSON, v1alpha1.PayloadHTML)
	format.Free = true
	return siteform.Form{
		Type: v1alpha1.CMSHeadless,
		Connect: func(cms, _ *v1alpha1.SiteCMS, secret string) {
			cms.Headless = &v1alpha1.HeadlessConnection{SigningSecretRef: v1alpha1.SecretKeyReference{Name: secret}}
			cms.WordPress = &v1alpha1.WordPressConnection{}
		},
		Fields: []siteform.Field{
			{
				Name: "url", MaxLength: 30, Required: true, Rule: siteform.HTTPURL,
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.Headless.URL }),
			},
			{
				Name: "author", MaxLength: 15, Rule: siteform.Matches(`^[0-9]+$`, "must be a number"),
				Accessor: siteform.Number(func(cms *v1alpha1.SiteCMS) *int64 { return &cms.WordPress.AuthorID }),
			},
			{
				Name: "tags", MaxLength: siteform.MaxList, Rule: siteform.UpTo20,
				Accessor: siteform.List(func(cms *v1alpha1.SiteCMS) *[]string { return &cms.WordPress.Tags }),
			},
			{Name: "secret", MaxLength: siteform.MaxSecret, Secret: "key"},
			format,
		},
	}
}

func TestEachKindOfFieldIsReadShownAndRemoved(t *testing.T) {
	f := form()
	first, faults := f.Read(map[string]string{
		"url": "https://a.example", "author": "42", "tags": "a, b,a", "format": "html", "secret": "s",
	}, nil, "name")
	cms := first.CMS
	if len(faults) > 0 || cms.Headless.PayloadFormat != v1alpha1.PayloadHTML || cms.WordPress.AuthorID != 42 ||
		!slices.Equal(cms.WordPress.Tags, []string{"a", "b"}) || first.Secrets["key"] != "s" {
		t.Fatalf("%+v, %+v, %v: %v", cms.Headless, cms.WordPress, first.Secrets, faults)
	}
	for name, want := range map[string]string{"url": "https://a.example", "author": "42", "tags": "a,b", "format": "html"} {
		if got := f.Values(&cms)[name]; got != want {
			t.Errorf("%s is shown as %q, want %q", name, got, want)
		}
	}
	if kept, faults := f.Read(nil, &cms, "name"); len(faults) > 0 || !f.Same(kept.CMS, cms) || len(kept.Secrets) > 0 {
		t.Errorf("fields that are left out do not stay: %+v: %v", kept, faults)
	}
	removed, faults := f.Read(map[string]string{"author": "", "tags": "", "format": ""}, &cms, "name")
	if w := removed.CMS.WordPress; len(faults) > 0 || w.AuthorID != 0 || w.Tags != nil || removed.CMS.Headless.PayloadFormat != "" {
		t.Errorf("empty values remove nothing: %+v: %v", removed, faults)
	}
}

func TestAValueThatBreaksARuleIsAFaultOfItsField(t *testing.T) {
	for _, test := range []struct{ field, value, want string }{
		{"url", "", "is required"},
		{"url", "https://a-name-that-is-too-long.example", "must have at most 30 characters"},
		{"author", "mara", "must be a number"},
		{"format", "xml", "must be one of json, html"},
		{"color", "red", "is not a known field of this cms_type"},
	} {
		_, faults := form().Read(map[string]string{"url": "https://a.example", test.field: test.value}, nil, "name")
		if want := []siteform.Fault{{Field: test.field, Message: test.want}}; !slices.Equal(faults, want) {
			t.Errorf("%s: %v, want %v", test.field, faults, want)
		}
	}
}

func TestAConnectionIsTheSameApartFromWhatIsFree(t *testing.T) {
	f := form()
	one, _ := f.Read(map[string]string{"url": "https://a.example", "format": "json"}, nil, "name")
	for _, test := range []struct {
		values map[string]string
		secret string
		want   bool
	}{
		{map[string]string{"url": "https://a.example", "format": "html"}, "name", true},
		{map[string]string{"url": "https://b.example", "format": "json"}, "name", false},
		{map[string]string{"url": "https://a.example", "format": "json"}, "other", false},
	} {
		other, _ := f.Read(test.values, nil, test.secret)
		if got := f.Same(one.CMS, other.CMS); got != test.want {
			t.Errorf("%v: %t, want %t", test.values, got, test.want)
		}
	}
	if one.CMS.Headless.PayloadFormat != v1alpha1.PayloadJSON {
		t.Error("Same changes what it compares")
	}
}
