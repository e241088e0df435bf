package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/test/docpage"
)

// Anyone who connects a model copies the flags of docs/how-to/connect-a-model.md.
func TestTheGeneratorsOfTheDocs(t *testing.T) {
	blocks, err := docpage.Blocks("docs/how-to/connect-a-model.md")
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "apiKey")
	if err := os.WriteFile(key, []byte("a-key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	models := map[string]int{}
	for _, b := range blocks {
		for line := range strings.Lines(b.Text) {
			if !strings.HasPrefix(line, "--generator-type=") {
				continue
			}
			f, flags := &controllerFlags{}, pflag.NewFlagSet("", pflag.ContinueOnError)
			f.addGenerator(flags)
			if err := flags.Parse(strings.Fields(strings.ReplaceAll(line, "/var/run/secrets/pressroom/generator/apiKey", key))); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			config, err := f.generator(egress.Policy{})
			if err != nil || f.generatorPrivate != (config.APIKey == "") {
				t.Errorf("%s: %v", line, err)
			}
			models[string(config.Type)]++
		}
	}
	if models["OpenAI"] < 4 || models["Anthropic"] < 1 {
		t.Errorf("the page has flags for %v", models)
	}
}

// Anyone who names a model and forgets its type would get outlines.
func TestAModelNeedsTheTypeOfItsEndpoint(t *testing.T) {
	for _, flag := range []string{"--generator-model=m", "--generator-base-url=https://api.example.com", "--generator-api-key-file=/nowhere"} {
		root := newRootCommand()
		root.SetArgs([]string{"controller", flag})
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "need --generator-type OpenAI or Anthropic") {
			t.Errorf("%s: err = %v, want that it needs a type", flag, err)
		}
	}
}
