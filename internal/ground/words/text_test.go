package words_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

func TestCleanTakesOutWhatAReaderDoesNotSee(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "so\u00adft": "soft", "zero\u200bwidth": "zerowidth", "\u202eturned": "turned", "e\u0301": "é", "5 €": "5 €",
	} {
		if got := words.Clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	for text, want := range map[string][]string{
		"Two shoes, ÄRMEL-los!": {"two", "shoes", "ärmel", "los"},
		"ΛΌΓΟΣ":                 {"λόγοσ"},
		"東京 2024":               {"東", "京", "2024"},
		" .,":                   nil,
	} {
		if got := words.Of(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestDigitValue(t *testing.T) {
	for r, want := range map[rune]int{'7': 7, '٣': 3, '۵': 5, '९': 9, '０': 0, '𝟗': 9} {
		if got, ok := words.DigitValue(r); !ok || got != want {
			t.Errorf("%c: got %d, %v, want %d", r, got, ok, want)
		}
	}
	if _, ok := words.DigitValue('²'); ok {
		t.Error("² is read as a decimal digit")
	}
}
