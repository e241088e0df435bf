package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const goodPost = "../../internal/check/testdata/posts/en-trail.md"

// runScore runs the command and returns what it prints.
func runScore(stdin string, arguments ...string) (string, error) {
	root := newRootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetIn(strings.NewReader(stdin))
	root.SetArgs(append([]string{"score"}, arguments...))
	err := root.Execute()
	return out.String(), err
}

func TestScorePrintsEachGroup(t *testing.T) {
	out, err := runScore("", "--site-url", "https://blog.example.com", "--minimum", "99", goodPost)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"en-trail.md: 99\n", "  seo 99\n", "  readability 100\n", "  gate\n", "    ok        9/9  keyphrase-in-slug: the slug has the keyword\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
}

func TestScoreAsJSON(t *testing.T) {
	out, err := runScore("# Shoes\n\nTrail shoes.", "-o", "json", "--keyword", "trail shoes", "--language", "en", "-")
	var files []scoredFile
	if err != nil || json.Unmarshal([]byte(out), &files) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(files) != 1 || files[0].File != "-" || len(files[0].Scores.Passed) < 5 || len(files[0].Scores.Failed) < 5 {
		t.Errorf("%+v", files)
	}
}

func TestScoreFailsBelowTheMinimum(t *testing.T) {
	for name, tc := range map[string]struct {
		text    string
		minimum string
		want    error
	}{
		"low score":     {"# Shoes\n\nTrail shoes.", "50", errBelowMinimum},
		"failed gate":   {"# Shoes\n\nAs an AI language model, I cannot run.", "1", errBelowMinimum},
		"no minimum":    {"# Shoes\n\nAs an AI language model, I cannot run.", "0", nil},
		"front matter":  {"---\ntitle: Shoes\nkeyword: shoes\n---\nShoes for all.", "3", nil},
		"dark comments": {"---\ntitle: Shoes\ndraft: true\ntags: [a]\n---\nShoes for all.", "0", nil},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := runScore(tc.text, "--minimum", tc.minimum, "-")
			if !errors.Is(err, tc.want) {
				t.Errorf("error = %v, want %v\n%s", err, tc.want, out)
			}
		})
	}
}

func TestScoreRefusesWhatItCannotRead(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.md")
	if err := os.WriteFile(broken, []byte("---\ntitle: [\n---\ntext"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, arguments := range map[string][]string{
		"it must be text or json": {"-o", "yaml", goodPost},
		"it must be 0 to 100":     {"--minimum", "101", goodPost},
		"it must be a BCP 47 tag": {"--language", "english!", goodPost},
		"it must be an address":   {"--site-url", "blog.example.com", goodPost},
		"no such file":            {"nothing.md"},
		"front matter":            {broken},
		"has no end":              {"-"},
		"requires at least 1 arg": {},
	} {
		if out, err := runScore("---\ntitle: x\n", arguments...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error = %v, want %q\n%s", arguments, err, want, out)
		}
	}
}

const surveyBrief = `apiVersion: pressroom.dev/v1alpha1
kind: Brief
metadata: {name: survey}
spec:
  facts: [The shop lends boots for 12 euros.]
  sources:
  - {name: survey, title: Survey of walkers, url: "https://survey.example/2025", text: Of the walkers 61 percent carry poles.}
  - {name: lab, title: Sheet of the lab, text: The lock held 55 kilograms.}
`

// briefFile writes a manifest of a brief.
func briefFile(t *testing.T, manifest string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "brief.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestScoreLooksForClaimsInTheBrief(t *testing.T) {
	const head = "---\ntitle: Poles for walkers\nlanguage: en\n---\n"
	const good = head + "Of the walkers, [61 percent](https://survey.example/2025) carry poles. The shop lends boots for 12 euros.\n"
	const bad = head + "Of the walkers, [61 percent](https://survey.example/2025) carry poles.\n\n## Locks\n\nThe lock held 83 kilograms.\n"
	file := briefFile(t, surveyBrief)
	if out, err := runScore(good, "--brief", file, "-"); err != nil || strings.Contains(out, "  claims ") {
		t.Errorf("a text that rests on its brief: %v\n%s", err, out)
	}
	out, err := runScore(bad, "--brief", file, "-")
	if !errors.Is(err, errUnsupported) {
		t.Errorf("error = %v, want %v", err, errUnsupported)
	}
	for _, want := range []string{
		"  claims 1\n", "figure unsupported (section 2): 83\n", "in:   The lock held 83 kilograms.\n",
		"must: leave it out, or add what supports it to the brief\n", "failed         claims: 1 claim without support",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if out, err := runScore(bad, "-"); err != nil || strings.Contains(out, "claims") {
		t.Errorf("without a brief: %v\n%s", err, out)
	}
	out, err = runScore(bad, "-o", "json", "--brief", file, "-")
	var files []scoredFile
	if !errors.Is(err, errUnsupported) || json.NewDecoder(strings.NewReader(out)).Decode(&files) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	claims := files[0].Claims
	if len(claims) != 1 || claims[0].Sentence != "The lock held 83 kilograms." || claims[0].Section == nil || *claims[0].Section != 2 || claims[0].Must == "" {
		t.Errorf("claims = %+v", claims)
	}
}

func TestScoreRefusesABriefThatTheClusterWould(t *testing.T) {
	for want, manifest := range map[string]string{
		"it must have a Brief":      strings.Replace(surveyBrief, "kind: Brief", "kind: Site", 1),
		"two sources have the name": strings.Replace(surveyBrief, "name: lab", "name: survey", 1),
	} {
		if out, err := runScore("Text.", "--brief", briefFile(t, manifest), "-"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q\n%s", err, want, out)
		}
	}
	if _, err := runScore("Text.", "--brief", "nothing.yaml", "-"); err == nil {
		t.Error("a brief that does not exist is read")
	}
}
