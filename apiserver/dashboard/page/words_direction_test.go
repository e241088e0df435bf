package page

import "testing"

func TestATextStandsAsItsLanguageIsWritten(t *testing.T) {
	for tag, want := range map[string][2]string{
		"": {"en", "ltr"}, "de-CH": {"de-CH", "ltr"}, "hi": {"hi", "ltr"}, "ar": {"ar", "rtl"}, "he-IL": {"he-IL", "rtl"}, "fa": {"fa", "rtl"},
		"ur": {"ur", "rtl"}, "ku-Arab": {"ku-Arab", "rtl"}, "az": {"az", "ltr"}, "no tag": {"und", "ltr"},
	} {
		if got := [2]string{languageOf(tag), directionOf(tag)}; got != want {
			t.Errorf("%q: got %v, want %v", tag, got, want)
		}
	}
}
