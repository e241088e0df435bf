package words_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
	"github.com/pressroom-dev/pressroom/internal/language"
)

func TestForKnowsTheWordsOfTheLanguageBeforeThoseOfEnglish(t *testing.T) {
	german := words.For(language.For("de-AT"))
	if e := german.Words["elf"]; e.Number != 11 || e.Marks&words.IsForeign != 0 {
		t.Errorf("elf is %+v, want 11", e)
	}
	if e := german.Words["eleven"]; e.Number != 11 || e.Marks&words.IsForeign == 0 {
		t.Errorf("eleven is %+v, want 11 of another language", e)
	}
	if e := german.Words["billion"]; e.Power != 12 || e.OtherPower != 9 {
		t.Errorf("billion is %+v, want a power of 12, or of 9", e)
	}
	if unknown := words.For(language.For("tlh")); unknown.Words["eleven"].Number != 11 {
		t.Error("a language without a file lacks the numbers of English")
	}
}

func TestPhrases(t *testing.T) {
	phrases := words.Phrases{}
	phrases.Add([]string{"per cent", "per cent of all"})
	for text, want := range map[string]int{"per cent of all": 4, "per cent of": 2, "per": 0, "cent per cent": 0} {
		if got := phrases.Prefix(words.Of(text)); got != want {
			t.Errorf("%q: a phrase of %d words, want %d", text, got, want)
		}
	}
	if !phrases.Suffix(words.Of("eleven per cent")) || phrases.Suffix(words.Of("per cent more")) {
		t.Error("a phrase at the end is not found, or one that is not there is")
	}
}

func TestEachWordThatWasAddedPassesTheFilterOfBeginnings(t *testing.T) {
	var b words.Beginnings
	for _, word := range []string{"million", "to", "Überraschung"} {
		b.Add(word)
		if !b.Has(word) {
			t.Errorf("%q does not pass", word)
		}
	}
	if b.Has("shoe") || !b.Has("MILlion") {
		t.Error("a word with another beginning passes, or capitals matter")
	}
}
