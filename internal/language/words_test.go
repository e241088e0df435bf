package language_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/language"
)

func TestWords(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"Trail-running shoes, 2nd edition!", []string{"trail", "running", "shoes", "2nd", "edition"}},
		{"STRASSE straße", []string{"strasse", "strasse"}},
		{"C++ and C# or a+b", []string{"c++", "and", "c#", "or", "a", "b"}},
		{"cafe\u0301 CAFÉ", []string{"café", "café"}},
		{"Acme™ shoes", []string{"acme", "shoes"}},
		{"İstanbul", []string{"istanbul"}},
		{"跑鞋ABC", []string{"跑", "鞋", "abc"}},
		{"ab\u00ADcd", []string{"abcd"}},
		{"🍕 pizza", []string{"🍕", "pizza"}},
		{"…", nil},
	} {
		if got := language.Words(tc.text); !slices.Equal(got, tc.want) {
			t.Errorf("Words(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{
		"":                              0,
		"one two-three don't":           3,
		"one — two–three a—b - x":       5,
		"zwölf größere Wörter":          3,
		"跑鞋很好":                          2,
		"สวัสดีครับ":                    2,
		"자주 묻는 질문":                      3,
		"🙂 🙂":                           0,
		"l'été, c'est 2 mois de soleil": 6,
	} {
		if got := language.CountWords(text); got != want {
			t.Errorf("CountWords(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestContainsPhrase(t *testing.T) {
	for _, tc := range []struct {
		text, phrase string
		want         bool
	}{
		{"The best Trail  running, shoes", "trail running shoes", true},
		{"trails running shoes", "trail running", false},
		{"an asset", "ass", false},
		{"die Straße", "STRASSE", true},
		{"最好的跑鞋在这里", "跑鞋", true},
		{"키워드를 찾다", "키워드", true},
		{"anything", "", false},
		{"anything", "!!", false},
		{"learn C++ now", "c++", true},
		{"learn C now", "c++", false},
	} {
		if got := language.ContainsPhrase(tc.text, tc.phrase); got != tc.want {
			t.Errorf("ContainsPhrase(%q, %q) = %v, want %v", tc.text, tc.phrase, got, tc.want)
		}
	}
}

// The words that begin alike are stemmed up to a bound. The word itself is found behind it, too.
func TestFormsAreFoundAmongManyWordsThatBeginAlike(t *testing.T) {
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "lug%d ", i)
	}
	for _, text := range []string{"lugs " + many.String(), many.String() + "lug"} {
		if !containsForms(language.For("en"), text, "lug") {
			t.Errorf("no form of lug in %.20s … %s", text, text[len(text)-20:])
		}
	}
}
