package publish_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// The vector that docs/reference/webhook.md gives for trying one's code is a golden one.
func TestThePageGivesAGoldenVector(t *testing.T) {
	text := read(t, filepath.Join(root, "docs", "reference", "webhook.md"))
	for _, want := range []string{
		"`" + read(t, "webhook/testdata/secret") + "`", strings.TrimSpace(read(t, "webhook/testdata/bare.html.signature")),
		"\n" + read(t, "webhook/testdata/bare.html.payload") + "\n", "\n" + read(t, "webhook/testdata/bare.markdown.payload") + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/reference/webhook.md does not say %q", want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
