package check_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// recordedFile has what yoastseo 3.6.0 gives: a line for each document, with its name, the overall score, and the points of each check in
// the order of recordedChecks, - where it has none. hack/yoast/record.sh makes it.
const recordedFile = "testdata/yoast-3.6.0.tsv"

// recordedChecks are the names of the recorded assessments by ours.
var recordedChecks = []struct{ ours, theirs string }{
	{"keyphrase-in-introduction", "introductionKeyword"},
	{"keyphrase-length", "keyphraseLength"},
	{"keyphrase-function-words", "functionWordsInKeyphrase"},
	{"keyphrase-density", "keyphraseDensity"},
	{"keyphrase-in-meta-description", "metaDescriptionKeyword"},
	{"keyphrase-in-subheadings", "subheadingsKeyword"},
	{"keyphrase-in-image-text", "imageKeyphrase"},
	{"keyphrase-in-seo-title", "keyphraseInSEOTitle"},
	{"keyphrase-in-slug", "slugKeyword"},
	{"competing-links", "textCompetingLinks"},
	{"meta-description-length", "metaDescriptionLength"},
	{"seo-title-width", "titleWidth"},
	{"text-length", "textLength"},
	{"outbound-links", "externalLinks"},
	{"internal-links", "internalLinks"},
	{"images", "images"},
	{"single-h1", "singleH1"},
	{"sentence-length", "textSentenceLength"},
	{"paragraph-length", "textParagraphTooLong"},
	{"section-length", "subheadingsTooLong"},
	{"sentence-beginnings", "sentenceBeginnings"},
}

// corpus is every base post spoilt in every way, by name.
func corpus(t *testing.T) map[string]check.Input {
	t.Helper()
	files, err := filepath.Glob("testdata/posts/*.md")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d base posts, %v; want 12", len(files), err)
	}
	all := map[string]check.Input{}
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".md")
		for _, s := range spoilings {
			in := readPost(t, base)
			in.SiteURL = "https://example.com"
			s.do(&in)
			all[base+"/"+s.name] = in
		}
	}
	return all
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestWriteDocuments writes the corpus for the recorder, if $YOAST_DOCUMENTS names a file. Otherwise it holds that each post can be
// rendered.
func TestWriteDocuments(t *testing.T) {
	var lines []byte
	posts := corpus(t)
	for _, name := range sortedNames(posts) {
		in := posts[name]
		html, err := content.HTML(in.Document.Markdown)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		line, err := json.Marshal(map[string]any{
			"name": name, "html": html, "keyword": in.Keyword, "description": in.Document.MetaDescription, "title": in.Document.MetaTitle,
			"titleWidth": check.TitlePixels(in.Document.MetaTitle), "slug": in.Document.Slug,
			"permalink": "https://example.com/" + in.Document.Slug, "locale": language.Base(in.Document.Language) + "_XX",
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	if file := os.Getenv("YOAST_DOCUMENTS"); file != "" {
		if err := os.WriteFile(file, lines, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// recorded figures of one document.
type recorded struct {
	total  int
	points []string
}

func readRecording(t *testing.T) map[string]recorded {
	t.Helper()
	data, err := os.ReadFile(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]recorded{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 2+len(recordedChecks) {
			t.Fatalf("%s: a line has %d fields: %q", recordedFile, len(fields), line)
		}
		total, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		// Their sum may leave the scale.
		all[fields[0]] = recorded{total: max(0, min(100, total)), points: fields[2:]}
	}
	return all
}

// points of our checks as the recording has them.
func points(r check.Report) map[string]string {
	out := map[string]string{}
	for _, f := range r.Findings {
		if f.Result == check.NotApplicable {
			out[f.Check] = "-"
		} else {
			out[f.Check] = strconv.Itoa(f.Points)
		}
	}
	return out
}

func TestScoresAgreeWithYoast(t *testing.T) {
	posts, recording := corpus(t), readRecording(t)
	if len(recording) != len(posts) {
		t.Fatalf("%d documents are recorded and there are %d; run hack/yoast/record.sh", len(recording), len(posts))
	}
	english, others := agreement{}, agreement{}
	for _, name := range sortedNames(posts) {
		in, want := posts[name], recording[name]
		report := check.Run(in)
		a := &others
		if in.Document.Language == "en" {
			a = &english
		}
		a.add(name, report.SEOScore(), want.total)
		got := points(report)
		for i, c := range recordedChecks {
			a.compare(c.ours, name, got[c.ours], want.points[i])
		}
	}
	english.report(t, "English", 1.0, 97, 0.97, 95)
	others.report(t, "other languages", 2.0, 90, 0.9, 0)
}

// agreement of our scores with the recorded ones.
type agreement struct {
	ours, theirs []float64
	far          []string
	equal, all   map[string]int
	differ       map[string][]string
}

func (a *agreement) add(name string, ours, theirs int) {
	a.ours, a.theirs = append(a.ours, float64(ours)), append(a.theirs, float64(theirs))
	if d := ours - theirs; d > 5 || d < -5 {
		a.far = append(a.far, name+" "+strconv.Itoa(ours)+" for "+strconv.Itoa(theirs))
	}
}

func (a *agreement) compare(check, name, ours, theirs string) {
	if a.all == nil {
		a.equal, a.all, a.differ = map[string]int{}, map[string]int{}, map[string][]string{}
	}
	if ours == "-" && theirs == "-" {
		return
	}
	a.all[check]++
	if ours == theirs {
		a.equal[check]++
	} else {
		a.differ[check] = append(a.differ[check], name+" "+ours+" for "+theirs)
	}
}

// report logs the agreement and fails below the bars: mean distance, percent within 5 points, rank correlation, percent equal in each check.
func (a *agreement) report(t *testing.T, what string, distance, within, correlation, equal float64) {
	t.Helper()
	sum, near := 0.0, 0
	for i := range a.ours {
		d := math.Abs(a.ours[i] - a.theirs[i])
		sum += d
		if d <= 5 {
			near++
		}
	}
	n := float64(len(a.ours))
	gotDistance, gotWithin, gotCorrelation := sum/n, 100*float64(near)/n, rankCorrelation(a.ours, a.theirs)
	t.Logf("%s: %d documents, mean distance %.2f, %.1f %% within 5, rank correlation %.3f", what, len(a.ours), gotDistance, gotWithin, gotCorrelation)
	if gotDistance > distance || gotWithin < within || gotCorrelation < correlation {
		t.Errorf("%s: want a mean distance of %.1f, %.0f %% within 5, a rank correlation of %.2f; far: %q", what, distance, within, correlation, a.far)
	}
	for _, name := range sortedNames(a.all) {
		least := equal
		if name == "sentence-beginnings" {
			least = min(equal, 92)
		}
		share := 100 * float64(a.equal[name]) / float64(a.all[name])
		t.Logf("%s: %-30s %5.1f %% of %d", what, name, share, a.all[name])
		if share < least {
			t.Errorf("%s: %s is equal in %.1f %%, want %.0f: %q", what, name, share, least, a.differ[name])
		}
	}
}
