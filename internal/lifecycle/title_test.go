package lifecycle_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestALongTitleIsCutForTables(t *testing.T) {
	for _, tt := range []struct{ name, title, want string }{
		{"none", "", ""},
		{"60 characters", strings.Repeat("ü", 60), ""},
		{"61 characters without a blank", strings.Repeat("ü", 61), strings.Repeat("ü", 59) + "…"},
		{"no blank in the second half", "A " + strings.Repeat("大", 80), "A " + strings.Repeat("大", 48) + "…"},
		{
			"words", "Waterproof trail running shoes for wet rock, and how to choose between them",
			"Waterproof trail running shoes for wet rock, and how to…",
		},
		{
			"a comma before the border", "Waterproof trail running shoes for rocks that are quite wet, and how to choose",
			"Waterproof trail running shoes for rocks that are quite wet…",
		},
		{"a word that ends where it is cut", strings.Repeat("a", 59) + " b", strings.Repeat("a", 59) + "…"},
		{"characters that JSON escapes", strings.Repeat("<", 80), strings.Repeat("<", 24) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lifecycle.ShortTitle(tt.title)
			if got != tt.want || utf8.RuneCountInString(got) > 60 {
				t.Errorf("got %q of %d characters, want %q", got, utf8.RuneCountInString(got), tt.want)
			}
		})
	}
}
