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
		"front matter":  {"---\ntitle: Shoes\nkeyword: shoes\n---\nShoes for all.", "20", nil},
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
