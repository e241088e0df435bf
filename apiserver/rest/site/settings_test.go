package site_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// settings has every setting that a request can change, with another value than the default.
const settings = `{
	"name": "Example Blog", "review_policy": "automatic", "minimum_score": 70, "approvals": 3, "default_stage": "published", "updates": "reviewed",
	"removal": "unpublish", "citations": "none", "voice": {
		"tone": "dry", "language": "de-CH", "audience": "hikers", "avoid_words": ["unleash"], "guide": "Short.", "examples": ["So."]
	}
}`

// absent returns the names of the members of a struct, and of those in it, that are absent.
func absent(v reflect.Value) (names []string) {
	for i := range v.NumField() {
		f := v.Field(i)
		if given := f.FieldByName("Given"); given.IsValid() {
			if !given.Bool() {
				names = append(names, v.Type().Field(i).Name)
			}
			continue
		}
		names = append(names, absent(f)...)
	}
	return names
}

func TestEverySettingIsStoredAndShownAsItWasAskedFor(t *testing.T) {
	var asked site.PolicyFields[site.SiteVoiceRequest]
	if err := json.Unmarshal([]byte(settings), &asked); err != nil {
		t.Fatal(err)
	}
	if missing := absent(reflect.ValueOf(asked)); len(missing) > 0 {
		t.Fatalf("this test asks for no %v", missing)
	}
	stored := &v1alpha1.Site{}
	shown := members(t, site.Rewritten(asked, stored))
	for name, want := range members(t, asked) {
		if name == "name" {
			shown[name] = stored.Spec.DisplayName
		}
		if !reflect.DeepEqual(shown[name], want) {
			t.Errorf("%s is %v, want %v", name, shown[name], want)
		}
	}
}

func TestASettingThatIsNullHasItsDefault(t *testing.T) {
	var asked, cleared site.PolicyFields[site.SiteVoiceRequest]
	const nulls = `{
		"name": null, "review_policy": null, "minimum_score": null, "approvals": null, "default_stage": null, "updates": null, "removal": null, "citations": null,
		"voice": {"tone": null, "language": null, "audience": null, "avoid_words": null, "guide": null, "examples": null}
	}`
	for body, into := range map[string]any{settings: &asked, nulls: &cleared} {
		if err := json.Unmarshal([]byte(body), into); err != nil {
			t.Fatal(err)
		}
	}
	stored := &v1alpha1.Site{}
	site.Rewritten(asked, stored)
	got := site.Rewritten(cleared, stored)
	if want := site.Rewritten(site.PolicyFields[site.SiteVoiceRequest]{}, &v1alpha1.Site{}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if stored.Spec.DisplayName != "" {
		t.Errorf("the name is %q", stored.Spec.DisplayName)
	}
}

func members(t *testing.T, v any) map[string]any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
