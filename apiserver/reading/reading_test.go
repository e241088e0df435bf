package reading_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/reading"
)

func TestATextStandsAsItsLanguageIsWritten(t *testing.T) {
	for tag, want := range map[string][2]string{
		"": {"en", "ltr"}, "de-CH": {"de-CH", "ltr"}, "hi": {"hi", "ltr"}, "ar": {"ar", "rtl"}, "he-IL": {"he-IL", "rtl"}, "fa": {"fa", "rtl"},
		"ur": {"ur", "rtl"}, "ku-Arab": {"ku-Arab", "rtl"}, "az": {"az", "ltr"}, "no tag": {"und", "ltr"},
	} {
		if got := [2]string{reading.Language(tag), reading.Direction(tag)}; got != want {
			t.Errorf("%q: got %v, want %v", tag, got, want)
		}
	}
}
