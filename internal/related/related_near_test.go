package related_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/related"
)

// posts are the texts of the corpus of internal/check, with their languages.
func posts(t *testing.T) (texts, tags []string) {
	t.Helper()
	files, err := filepath.Glob("../check/testdata/posts/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no posts, %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.SplitN(string(data), "\n---\n", 2)
		texts, tags = append(texts, parts[1]), append(tags, filepath.Base(file)[:2])
	}
	return texts, tags
}

func fingerprint(t *testing.T, tag, text string) related.Fingerprint {
	t.Helper()
	return fingerprintWithout(t, tag, text, "")
}

func fingerprintWithout(t *testing.T, tag, text, keyword string) related.Fingerprint {
	t.Helper()
	f, ok := related.FingerprintOf(tag, text, keyword)
	if !ok {
		t.Fatalf("no fingerprint of %.60q", text)
	}
	return f
}

func TestTextsOfTheirOwnAreNotNear(t *testing.T) {
	texts, tags := posts(t)
	for i := range texts {
		for j := range i {
			if a, b := fingerprint(t, tags[i], texts[i]), fingerprint(t, tags[j], texts[j]); a.Near(b) {
				t.Errorf("posts %d and %d differ in %d bits", i, j, a.Distance(b))
			}
		}
	}
}

// What programs print has the same lines in many texts, such as rules of symbols, each of which is a word.
func TestRepeatedSymbolsDoNotMakeTextsNear(t *testing.T) {
	texts, tags := posts(t)
	rule := "\n\n" + strings.Repeat("─", 400) + "\n\n"
	for i := range texts {
		for j := range i {
			if a, b := fingerprint(t, tags[i], texts[i]+rule), fingerprint(t, tags[j], texts[j]+rule); a.Near(b) {
				t.Errorf("posts %d and %d differ in %d bits", i, j, a.Distance(b))
			}
		}
	}
}

// A tenth of the sentences is dropped from each post, 20 times.
func TestATextWithATenthDroppedIsNear(t *testing.T) {
	texts, tags := posts(t)
	random := rand.New(rand.NewPCG(1, 2))
	near, all := 0, 0
	for i, text := range texts {
		sentences := language.For(tags[i]).Sentences(text)
		whole := fingerprint(t, tags[i], text)
		for range 20 {
			dropped := map[int]bool{}
			for _, n := range random.Perm(len(sentences))[:(len(sentences)+5)/10] {
				dropped[n] = true
			}
			var kept []string
			for n, s := range sentences {
				if !dropped[n] {
					kept = append(kept, s)
				}
			}
			all++
			if whole.Near(fingerprint(t, tags[i], strings.Join(kept, " "))) {
				near++
			}
		}
	}
	if near*100 < 95*all {
		t.Errorf("%d of %d are near, want 95 percent", near, all)
	}
}

// One template is filled in with another keyword each time, once in 50 words: a density of 2 percent.
func TestATemplateWithAnotherKeywordIsNear(t *testing.T) {
	texts, tags := posts(t)
	keywords := []string{"trail running shoes", "winter boots", "garden hose", "espresso machine", "city bike"}
	for i, text := range texts {
		if tags[i] != "en" {
			continue
		}
		var prints []related.Fingerprint
		for _, keyword := range keywords {
			var filled []string
			for n, word := range strings.Fields(text) {
				if n%50 == 0 {
					filled = append(filled, keyword)
				}
				filled = append(filled, word)
			}
			prints = append(prints, fingerprintWithout(t, "en", strings.Join(filled, " "), keyword))
		}
		for a := range prints {
			for b := range a {
				if !prints[a].Near(prints[b]) {
					t.Errorf("post %d: %q and %q differ in %d bits", i, keywords[a], keywords[b], prints[a].Distance(prints[b]))
				}
			}
		}
	}
}
