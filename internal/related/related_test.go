package related_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/related"
)

func TestTheSameKeywordInOtherForms(t *testing.T) {
	for _, tc := range []struct {
		tag, a, b string
		want      bool
	}{
		{"en", "trail running shoes", "shoe for trail running", true},
		{"en", "running shoes", "trail running shoes", false},
		{"de", "billige Schuhe", "Schuhe, billig", true},
		{"en", "", "", false},
		{"en", "!!", "??", false},
		{"pl", "buty", "buty", true},
	} {
		site := related.NewSite(tc.tag, []related.Article{{Name: "other", Keyword: tc.b, Language: tc.tag}})
		same, _ := site.Compare(related.Article{Name: "one", Keyword: tc.a, Language: tc.tag}, 0)
		if got := len(same) > 0; got != tc.want {
			t.Errorf("%q and %q are the same: %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestFingerprintsAsText(t *testing.T) {
	if got := related.Fingerprint(0xab).String(); got != "00000000000000ab" {
		t.Errorf("String = %q", got)
	}
	if got, ok := related.ParseFingerprint("00000000000000ab"); !ok || got != 0xab {
		t.Errorf("ParseFingerprint = %x, %v", got, ok)
	}
	for _, junk := range []string{"", "ab", "00000000000000AB", "000000000000000g", "+00000000000000a"} {
		if _, ok := related.ParseFingerprint(junk); ok {
			t.Errorf("%q is a fingerprint", junk)
		}
	}
	if _, ok := related.FingerprintOf("en", "too short to compare", ""); ok {
		t.Error("a short text has a fingerprint")
	}
}

func TestCandidates(t *testing.T) {
	article := func(name, title, url, language string) related.Article {
		return related.Article{Name: name, Title: title, Keyword: title, URL: url, Language: language}
	}
	others := []related.Article{
		article("self", "Trail running shoes", "https://a.example/self", "en"),
		article("near", "How to wash trail shoes", "https://a.example/near", "en-US"),
		article("nearer", "Trail running shoe sizes", "https://a.example/nearer", "en"),
		article("unpublished", "Trail running shoes again", "", "en"),
		article("german", "Trail running shoes", "https://a.example/de", "de"),
		article("other", "Baking bread", "https://a.example/bread", "en"),
	}
	var names []string
	for _, c := range candidates(article("self", "Trail running shoes", "", "en"), others, 8) {
		names = append(names, c.Name)
	}
	if want := []string{"nearer", "near"}; !slices.Equal(names, want) {
		t.Errorf("candidates = %q, want %q", names, want)
	}
	if got := candidates(others[0], others, 1); len(got) != 1 {
		t.Errorf("%d candidates, want 1", len(got))
	}
}

// A stem that is rare says more, but not so much that it outweighs most of a title.
func TestOneRareStemDoesNotOutweighTwoCommonOnes(t *testing.T) {
	article := func(name, title string) related.Article {
		return related.Article{Name: name, Title: title, URL: "https://a.example/" + name, Language: "en"}
	}
	others := []related.Article{article("common", "Trail shoes guide"), article("rare", "Zephyr guide book")}
	for i := range 9 {
		others = append(others, article(fmt.Sprint("trail", i), fmt.Sprint("Trail ", i)),
			article(fmt.Sprint("shoes", i), fmt.Sprint("Shoes ", i)))
	}
	got := candidates(article("self", "Zephyr trail shoes"), others, 1)
	if len(got) != 1 || got[0].Name != "common" {
		t.Errorf("candidates = %v, want common first", got)
	}
}
