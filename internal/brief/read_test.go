package brief_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/brief"
)

const manifest = `apiVersion: pressroom.dev/v1alpha1
kind: Brief
metadata: {name: survey}
spec:
  instructions: For beginners.
  facts: [The shop lends boots.]
  sources:
  - {name: survey, title: Survey of walkers, url: "https://survey.example/2025", text: Most carry poles.}
  - {name: lab, title: Sheet of the lab, text: The lock held.}
`

func TestAManifestIsRead(t *testing.T) {
	b, err := brief.Read([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	m := brief.Material(b.Spec)
	if b.Name != "survey" || len(m.Facts) != 1 || len(m.Sources) != 2 || m.Sources[0].URL != "https://survey.example/2025" || m.Sources[1].Text != "The lock held." {
		t.Errorf("got %+v", m)
	}
}

func TestWhatTheClusterRefusesIsRefused(t *testing.T) {
	for want, change := range map[string][2]string{
		"it must have a Brief of":           {"kind: Brief", "kind: Site"},
		"unknown field":                     {"facts:", "claims:"},
		"two sources have the name":         {"name: lab", "name: survey"},
		"the name must have":                {"name: lab", "name: Lab"},
		"the url must be":                   {"https://survey", "http://survey"},
		"the title has 0 characters":        {"title: Sheet of the lab", `title: ""`},
		"the title has 301 characters":      {"Sheet of the lab", strings.Repeat("ü", 301)},
		"the text has 0 characters":         {"text: The lock held.", `text: ""`},
		"the text has 16001 characters":     {"The lock held.", strings.Repeat("ü", 16001)},
		"fact 1 has 501 characters":         {"The shop lends boots.", strings.Repeat("ü", 501)},
		"fact 1 has 0 characters":           {"The shop lends boots.", `""`},
		"more than 4000 characters":         {"For beginners.", strings.Repeat("ü", 4001)},
		"it has 51 facts; it may have 50":   {"[The shop lends boots.]", "[" + strings.Repeat("a,", 50) + "a]"},
		"it has 12 sources; it may have 10": {"  sources:\n", "  sources:\n" + tenSources()},
	} {
		changed := strings.Replace(manifest, change[0], change[1], 1)
		if _, err := brief.Read([]byte(changed)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
	if _, err := brief.Read([]byte("apiVersion: pressroom.dev/v1alpha1\nkind: Brief\nspec: {}")); err == nil {
		t.Error("an empty brief is read")
	}
}

func tenSources() string {
	var b strings.Builder
	for i := range 10 {
		fmt.Fprintf(&b, "  - {name: s%d, title: T, text: T}\n", i)
	}
	return b.String()
}

// Read refuses the bounds that the CRD has, and no others.
func TestTheBoundsAreThoseOfTheCRD(t *testing.T) {
	crd, err := os.ReadFile("../../config/crd/bases/pressroom.dev_briefs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, bound := range []string{
		"maxLength: 4000", "maxItems: 50", "maxLength: 500", "maxItems: 10", "maxLength: 300", "maxLength: 16000", "maxLength: 2048",
		"pattern: ^[a-z][a-z0-9-]{0,30}$", "pattern: ^https://[!-~]+$",
	} {
		if !strings.Contains(string(crd), bound+"\n") {
			t.Errorf("the CRD does not have %q", bound)
		}
	}
}
