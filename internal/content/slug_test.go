package content_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
)

var slugPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func TestSlugIsSpeltInTheLanguage(t *testing.T) {
	for _, tc := range []struct{ text, language, want string }{
		{"Trail Running Shoes: the 10 best!", "en", "trail-running-shoes-the-10-best"},
		{"Größere Schuhe", "de", "groessere-schuhe"},
		{"Größere Schuhe", "de-CH", "groessere-schuhe"},
		{"Größere Schuhe", "en", "grossere-schuhe"},
		{"Socken & Schuhe", "de", "socken-und-schuhe"},
		{"Socks & shoes", "", "socks-and-shoes"},
		{"Socks & shoes", "tlh", "socks-and-shoes"},
		{"Socks & shoes", "not a tag", "socks-and-shoes"},
		{"Sko & sokker", "no", "sko-og-sokker"},
		{"Chaussures & été", "fr-CA", "chaussures-et-ete"},
		{"Кроссовки", "ru", "krossovki"},
		{"Ρολόγια", "el", "rologia"},
		{"snake_case and  blanks", "en", "snake-case-and-blanks"},
		{"--a--", "en", "a"},
		{"越野跑鞋", "zh-Hant", "yue-ye-pao-xie"},
		{"운동화", "ko", "undonghwa"},
		// What the library would spell in another language, or without its vowels, is left out.
		{"初心者のための Trail Running 入門 2026", "ja", "trail-running-2026"},
		{"初心者 Trail Running", "en", "trail-running"},
		{"Go言語で作る", "en", "go"},
		{"دليل الأحذية Salomon ٢٠٢٦", "ar", "salomon-2026"},
		{"נעלי ריצה Salomon", "he", "salomon"},
		{"जूते Salomon", "hi", "salomon"},
		{"รองเท้า Salomon", "th", "salomon"},
	} {
		if got := content.Slug(tc.text, tc.language); got != tc.want {
			t.Errorf("Slug(%q, %q) = %q, want %q", tc.text, tc.language, got, tc.want)
		}
	}
}

func TestSlugOfAnyTextIsValid(t *testing.T) {
	for _, text := range []string{
		"", " ", "🙂🙂", "!!!", "跑鞋", "ランニングシューズ", "\x00\xff", strings.Repeat("a", 500), strings.Repeat("long-words ", 50), "İstanbul",
		strings.Repeat("ß", 300), strings.Repeat("a-", 200),
	} {
		got := content.Slug(text, "de")
		if !slugPattern.MatchString(got) || len(got) > content.MaxSlugBytes {
			t.Errorf("Slug(%q) = %q, want one that is valid", text, got)
		}
		if again := content.Slug(got, "de"); again != got {
			t.Errorf("Slug(%q) = %q, want a slug to stay as it is", got, again)
		}
	}
}

// A slug that says something wrong is worse than one that says nothing.
func TestATextThatCannotBeSpelledHasANameOfItsHash(t *testing.T) {
	for text, language := range map[string]string{"初心者のための靴": "ja", "初心者": "en", "الدليل الشامل للأحذية": "ar", "跑鞋": "de"} {
		if got := content.Slug(text, language); !regexp.MustCompile(`^article-[0-9a-f]{8}$`).MatchString(got) {
			t.Errorf("Slug(%q, %q) = %q, want one of its hash", text, language, got)
		}
		if got := content.Spelling(text, language); got != "" {
			t.Errorf("Spelling(%q, %q) = %q, want none", text, language, got)
		}
	}
}

func TestSlugsOfTextsWithoutLettersDiffer(t *testing.T) {
	if a, b := content.Slug("🙂", "en"), content.Slug("🙃", "en"); a == b {
		t.Errorf("both are %q", a)
	}
}

func TestSlugIsCutBetweenWords(t *testing.T) {
	got := content.Slug(strings.Repeat("seven-l ", 20), "en")
	if len(got) > content.MaxSlugBytes || !strings.HasSuffix(got, "seven-l") && !strings.HasSuffix(got, "seven") {
		t.Errorf("Slug = %q (%d bytes)", got, len(got))
	}
}

func TestUniqueSlugCountsUp(t *testing.T) {
	taken := map[string]bool{}
	for _, want := range []string{"shoes", "shoes-2", "shoes-3"} {
		got := content.UniqueSlug("shoes", func(s string) bool { return taken[s] })
		if got != want {
			t.Errorf("UniqueSlug = %q, want %q", got, want)
		}
		taken[got] = true
	}
}

// The ten-thousandth article of one title must not cost ten thousand look-ups.
func TestAFreeSlugIsFoundInFewSteps(t *testing.T) {
	taken, asked := map[string]bool{}, 0
	for n := range 10_000 {
		asked = 0
		slug := content.UniqueSlug("shoes", func(s string) bool { asked++; return taken[s] })
		if taken[slug] {
			t.Fatalf("slug %d, %s, is taken", n, slug)
		}
		taken[slug] = true
	}
	if asked > 30 || !taken["shoes-10000"] {
		t.Errorf("the last one took %d look-ups, want 30 at most and the numbers in order", asked)
	}
}

// The slug library is configured by global variables; concurrent use must not need any.
func TestSlugMayBeUsedConcurrently(t *testing.T) {
	var group sync.WaitGroup
	for _, language := range []string{"de", "en", "fr", "tr"} {
		group.Go(func() {
			want := content.Slug("Größe & Ähnliches", language)
			for range 50 {
				if got := content.Slug("Größe & Ähnliches", language); got != want {
					t.Errorf("Slug = %q and %q", want, got)
				}
			}
		})
	}
	group.Wait()
}
