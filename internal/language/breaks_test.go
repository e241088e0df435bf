package language_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// breaksOf asks the library which kind a character is, by where it ends sentences around it.
func breaksOf(c string) string {
	splits := func(text string, want ...string) bool {
		var parts []string
		for s := sentences.FromString(text); s.Next(); {
			parts = append(parts, s.Value())
		}
		return slices.Equal(parts, want)
	}
	switch {
	case slices.Contains([]string{"\n", "\r", "\u0085", "\u2028", "\u2029"}, c):
		return "" // Lines are joined before.
	case splits("?"+c+"X", "?"+c+"X"):
		return "SContinue"
	case splits("?"+c+"X", "?"+c, "X"):
		switch {
		case splits("1"+c+" a", "1"+c+" ", "a"):
			return "STerm"
		case splits("1"+c+"X", "1"+c, "X"):
			return "ATerm"
		case splits("?"+c+")X", "?"+c, ")X"):
			return "Sp"
		case splits("? "+c+" X", "? "+c+" ", "X"):
			return "Extend"
		default:
			return "Close"
		}
	case splits("1. "+c, "1. "+c):
		return "Lower"
	case splits("1."+c, "1."+c):
		return "Numeric"
	case splits("x."+c, "x."+c):
		return "Upper"
	case splits("1. "+c+"a", "1. ", c+"a"):
		return "OLetter"
	default:
		return ""
	}
}

// mayBeAssigned leaves out the planes that Unicode has no characters in, or private ones alone.
func mayBeAssigned(r rune) bool { return r < 0x40000 || r >= 0xE0000 && r < 0xE1000 }

func TestBreaksAreThoseOfTheLibrary(t *testing.T) {
	const file = "sentencebreaks.txt"
	var want strings.Builder
	kind, first := "", rune(0)
	for r := rune(0); r <= unicode.MaxRune+1; r++ {
		next := ""
		if utf8.ValidRune(r) && mayBeAssigned(r) {
			next = breaksOf(string(r))
		}
		if next == kind {
			continue
		}
		if kind != "" {
			fmt.Fprintf(&want, "%04X %04X %s\n", first, r-1, kind)
		}
		kind, first = next, r
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(want.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	have, wanted := strings.Split(string(data), "\n"), strings.Split(want.String(), "\n")
	for i := range min(len(have), len(wanted)) {
		if have[i] != wanted[i] {
			t.Fatalf("line %d is %q, want %q: run the test with UPDATE_GOLDEN=1", i+1, have[i], wanted[i])
		}
	}
	if !slices.Equal(have, wanted) {
		t.Fatalf("%d lines, want %d", len(have), len(wanted))
	}
}
