package check_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
)

// recordedFile has what yoastseo 3.6.0 gives. hack/yoast/record.sh makes it.
const recordedFile = "testdata/yoast-3.6.0.tsv"

// post of the corpus.
type post struct {
	name string
	check.Input
}

// corpus is every base post spoilt in every way, in the order of their names.
func corpus(t *testing.T) []post {
	t.Helper()
	files, err := filepath.Glob("testdata/posts/*.md")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d base posts, %v; want 12", len(files), err)
	}
	posts := make([]post, 0, len(files)*len(spoilings))
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".md")
		for _, s := range spoilings {
			in := readPost(t, base)
			in.SiteURL = "https://example.com"
			s.do(&in)
			posts = append(posts, post{base + "/" + s.name, in})
		}
	}
	slices.SortFunc(posts, func(a, b post) int { return strings.Compare(a.name, b.name) })
	return posts
}

// TestWriteDocuments writes the corpus for the recorder, if $YOAST_DOCUMENTS names a file. Otherwise it holds that each post can be
// rendered.
func TestWriteDocuments(t *testing.T) {
	posts := corpus(t)
	documents := make([]document, 0, len(posts))
	for _, p := range posts {
		d, err := newDocument(p.name, p.Input)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d)
	}
	var out strings.Builder
	if err := writeDocuments(&out, documents); err != nil {
		t.Fatal(err)
	}
	if file := os.Getenv("YOAST_DOCUMENTS"); file != "" {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestScoresAgreeWithYoast(t *testing.T) {
	file, err := os.Open(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	recording, err := readRecorded(file)
	if err != nil {
		t.Fatalf("%s: %v", recordedFile, err)
	}
	posts := corpus(t)
	if len(recording) != len(posts) {
		t.Fatalf("%d documents are recorded and there are %d; run hack/yoast/record.sh", len(recording), len(posts))
	}
	var english, others agreement
	for _, p := range posts {
		a := &others
		if p.Document.Language == "en" {
			a = &english
		}
		a.add(p.name, check.Run(p.Input), recording[p.name])
	}
	bars(t, "English", english, figures{Distance: 1, Within: 97, Correlation: 0.97}, 95)
	bars(t, "other languages", others, figures{Distance: 2, Within: 90, Correlation: 0.9}, 0)
}

// bars fails below the bars of an agreement, and of the percent that are equal in each check.
func bars(t *testing.T, what string, a agreement, want figures, equal float64) {
	t.Helper()
	got := a.figures()
	t.Logf("%s: %s", what, got)
	if got.Distance > want.Distance || got.Within < want.Within || got.Correlation < want.Correlation {
		t.Errorf("%s: want a mean distance of %.1f, %.0f %% within 5, a rank correlation of %.2f; far: %q", what,
			want.Distance, want.Within, want.Correlation, a.Far)
	}
	for _, name := range a.names() {
		c, least := a.Checks[name], equal
		if name == "sentence-beginnings" {
			least = min(equal, 92)
		}
		t.Logf("%s: %-30s %5.1f %% of %d", what, name, c.share(), c.All)
		if c.share() < least {
			t.Errorf("%s: %s is equal in %.1f %%, want %.0f: %q", what, name, c.share(), least, c.Differ)
		}
	}
}
