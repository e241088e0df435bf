package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/scripted"
)

// model returns the flags that have a scripted model answer.
func model(t *testing.T, name string) []string {
	t.Helper()
	handler, err := scripted.Handler(name)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.StripPrefix("/v1", handler))
	t.Cleanup(server.Close)
	return slices.Clip([]string{
		"--generator-type", "OpenAI", "--generator-model", name, "--generator-base-url", server.URL + "/v1", "--generator-allow-private",
	})
}

// evaluated runs `pressroom eval` over a suite of one short request.
func evaluated(t *testing.T, flags ...string) (string, error) {
	t.Helper()
	suite := filepath.Join(t.TempDir(), "suite.yaml")
	if err := os.WriteFile(suite, []byte("cases: [{name: one, keyword: garden hose, length: Short}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	root := newRootCommand()
	root.SetOut(&out)
	root.SetArgs(append([]string{"eval", "--suite", suite}, flags...))
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestEvalNeedsNoCluster(t *testing.T) {
	out, err := evaluated(t, append(model(t, "perfect"), "--price-input", "1", "--price-output", "2")...)
	if err != nil || !strings.Contains(out, "| perfect | 1 | 1 | 0 |") {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestEvalComparesWithABaseline(t *testing.T) {
	file, sloppy := filepath.Join(t.TempDir(), "baseline.json"), model(t, "sloppy")
	if _, err := evaluated(t, append(sloppy, "--out", file)...); err != nil {
		t.Fatal(err)
	}
	if _, err := evaluated(t, append(sloppy, "--baseline", file)...); err != nil {
		t.Errorf("the same is worse: %v", err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	better := strings.ReplaceAll(string(raw), `"seoScore": 82`, `"seoScore": 99`)
	if err := os.WriteFile(file, []byte(better), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := evaluated(t, append(sloppy, "--baseline", file)...)
	if !errors.Is(err, errWorse) || !strings.Contains(out, "Worse than the baseline") {
		t.Errorf("got %v: %s", err, out)
	}
}

func TestEvalRefusesWhatItCannotDo(t *testing.T) {
	perfect := model(t, "perfect")
	for name, flags := range map[string][]string{
		"a type of report":     append(perfect, "--out", filepath.Join(t.TempDir(), "r.pdf")),
		"a price":              append(perfect, "--price-input", "cheap", "--price-output", "1"),
		"no price of output":   append(perfect, "--price-input", "1"),
		"repeats":              append(perfect, "--repeat", "0"),
		"a baseline":           append(perfect, "--baseline", "missing.json"),
		"recording and replay": {"--record", t.TempDir(), "--replay", t.TempDir()},
		"no model":             {"--generator-type", "OpenAI"},
	} {
		if _, err := evaluated(t, flags...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A model costs money: what can be refused before it is asked is.
func TestEvalRefusesBeforeItAsksAModel(t *testing.T) {
	asked := false
	model := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer model.Close()
	endpoint := []string{"--generator-type", "OpenAI", "--generator-model", "m", "--generator-base-url", model.URL, "--generator-allow-private"}
	report := filepath.Join(t.TempDir(), "report.pdf")
	for want, flags := range map[string][]string{
		"must end in .html, .md or .json": {"--out", report},
		"missing.json":                    {"--baseline", "missing.json"},
	} {
		if _, err := evaluated(t, append(flags, endpoint...)...); err == nil || !strings.Contains(err.Error(), want) || asked {
			t.Errorf("err = %v, want %s; the model was asked: %v", err, want, asked)
		}
	}
	if _, err := os.Stat(report); !os.IsNotExist(err) {
		t.Errorf("a file was left for a report that cannot be written: %v", err)
	}
}
