package figures

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// Numbers as people write them in twelve locales, in four systems of digits and in words.
func TestNumbers(t *testing.T) {
	for tag, cases := range map[string]map[string]string{
		"en": {
			"7": "7", "42": "42", "1,234": "1234", "1,234.5": "1234.5", "12,345,678": "12345678", "0.05": "0.05", "3.14159": "3.14159",
			"42%": "42", "42 percent": "42", "eleven percent": "11", "$5": "5", "$1.5 million": "1500000", "3 million": "3000000",
			"2 billion": "2000000000", "12 lakh": "1200000", "3 crore": "30000000", "$3bn": "3000000000", "twenty-one": "21",
			"two hundred and fifty": "250", "three thousand": "3000", "one million": "1000000", "ninety-nine": "99", "two dozen": "24",
			"1990s": "1990", "10km": "10", "twelve thousand five hundred": "12500", "1.234,5": "1234.5", "10,5": "10.5", "£12.50": "12.5", "5k": "5000", "100,000": "100000", "forty-two": "42", "1_000": "1000",
		},
		"de": {
			"1.234": "1234", "1.234,5": "1234.5", "0,5": "0.5", "12.345.678": "12345678", "1,2 Mio.": "1200000", "3 Milliarden": "3000000000",
			"42 Prozent": "42", "einundzwanzig": "21", "zweihundertfünfzig": "250", "elf Prozent": "11", "zwei Millionen": "2000000",
			"neunundneunzig": "99", "dreitausend": "3000", "50 €": "50", "5 Billionen": "5000000000000",
		},
		"de-CH": {"1’234": "1234", "1'234.5": "1234.5", "12’345’678": "12345678"},
		"fr": {
			"1 234": "1234", "1\u202f234,5": "1234.5", "1\u00a0234\u00a0567": "1234567", "0,5 %": "0.5", "3 millions": "3000000",
			"quatre-vingt-dix-sept": "97", "soixante-dix": "70", "vingt et un": "21", "deux cents": "200", "onze pour cent": "11",
			"soixante et onze": "71", "2 milliards": "2000000000", "dix-sept": "17",
		},
		"es": {
			"1.234": "1234", "1.234,5": "1234.5", "0,5": "0.5", "1.234.567": "1234567", "3 millones": "3000000", "treinta y cinco": "35",
			"doscientos": "200", "doscientos diez": "210", "once por ciento": "11", "dos mil": "2000",
		},
		"it": {
			"1.234": "1234", "1.234,5": "1234.5", "ventuno": "21", "duecento": "200", "3 milioni": "3000000", "undici per cento": "11",
			"tremila": "3000", "quarantacinque": "45",
		},
		"pt-BR": {
			"1.234": "1234", "1.234,5": "1234.5", "3 milhões": "3000000", "vinte e cinco": "25", "duzentos": "200", "onze por cento": "11",
			"2 bilhões": "2000000000", "cento e vinte": "120",
		},
		"nl": {
			"1.234": "1234", "1.234,5": "1234.5", "eenentwintig": "21", "tweehonderd": "200", "3 miljoen": "3000000", "elf procent": "11",
			"vijfenveertig": "45",
		},
		"pl": {"1 234": "1234", "1 234,5": "1234.5", "3 mln": "3000000", "42 procent": "42", "12\u00a0345": "12345"},
		"ru": {"1 234": "1234", "1\u00a0234,5": "1234.5", "3 млн": "3000000", "2 миллиарда": "2000000000", "42 процента": "42"},
		"hi": {
			"12,34,567": "1234567", "१२,३४५": "12345", "१२.५": "12.5", "१२ लाख": "1200000", "३ करोड़": "30000000", "४२ प्रतिशत": "42",
			"1,234.5": "1234.5",
		},
		"ar": {"١٢٣٤": "1234", "١٬٢٣٤": "1234", "١٬٢٣٤٫٥": "1234.5", "٤٢٪": "42"},
		"fa": {"۱۲۳۴": "1234", "۱٬۲۳۴": "1234", "۱٬۲۳۴٫۵": "1234.5", "۴۲٪": "42"},
		"ja": {"1,234": "1234", "12万": "120000", "３億": "300000000", "42パーセント": "42", "5千": "5000", "１，２３４": "1234"},
	} {
		for text, want := range cases {
			t.Run(tag+" "+text, func(t *testing.T) {
				s := NewScanner(tag)
				s.Text = words.Clean(text)
				it, ok := s.Next(0)
				if !ok || it.Figure == nil {
					t.Fatalf("no number is found in %q", text)
				}
				digits, fraction, _ := strings.Cut(want, ".")
				if got := it.Figure.Values[0]; it.Figure.Count == 0 || got != newValue(digits, fraction) {
					t.Errorf("got %+v (%q), want %s", got, it.Figure.Unread, want)
				}
				if rest := strings.Trim(s.Text[it.End:], " ."); rest != "" {
					t.Errorf("%q is not read", rest)
				}
			})
		}
	}
}

func TestDates(t *testing.T) {
	for _, test := range []struct {
		tag, text string
		want      Date
	}{
		{"en", "March 12, 2024", Date{2024, 3, 12}},
		{"en", "12 March 2024", Date{2024, 3, 12}},
		{"en", "the 3rd of May", Date{0, 5, 3}},
		{"en", "Sept. 2021", Date{2021, 9, 0}},
		{"en", "2024-03-12", Date{2024, 3, 12}},
		{"en", "3/12/2024", Date{2024, 12, 3}},
		{"de", "12. März 2024", Date{2024, 3, 12}},
		{"de", "12.03.2024", Date{2024, 3, 12}},
		{"fr", "1er mai 2020", Date{2020, 5, 1}},
		{"es", "12 de marzo de 2024", Date{2024, 3, 12}},
		{"it", "2 giugno 1946", Date{1946, 6, 2}},
		{"pt", "7 de setembro de 1822", Date{1822, 9, 7}},
		{"nl", "5 mei 1945", Date{1945, 5, 5}},
	} {
		t.Run(test.text, func(t *testing.T) {
			s := NewScanner(test.tag)
			s.Text, s.StartsWithMonth = test.text, true
			for at := 0; ; {
				it, ok := s.Next(at)
				if !ok {
					t.Fatal("no date is found")
				}
				if at = it.End; it.Figure != nil {
					if it.Figure.Dates[0] != test.want || it.End != len(s.Text) {
						t.Errorf("got %v, %q is not read", it.Figure.Dates, s.Text[it.End:])
					}
					return
				}
			}
		})
	}
}
