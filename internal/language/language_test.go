package language_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/language"
)

func TestProfilesByTag(t *testing.T) {
	for tag, want := range map[string]string{
		"de-CH": "de", "pt-BR": "pt", "nb": "no", "nn-NO": "no", "zh-Hant-TW": "zh", "": "", "not a tag!": "", "eo": "eo",
	} {
		if got := language.For(tag).Base(); got != want {
			t.Errorf("For(%q).Base() = %q, want %q", tag, got, want)
		}
	}
}

func TestWhatALanguageLacksIsNotSupported(t *testing.T) {
	neutral := language.For("")
	if neutral.KnowsFunctionWords() || neutral.MarksSentences() || neutral.HasLetterCase() || neutral.Stem("words") != "words" {
		t.Error("the neutral profile knows something")
	}
	if language.For("th").MarksSentences() || !language.For("de").Mentions("ein Laufschuhtest", "Laufschuh") {
		t.Error("Thai marks sentences, or German has no compounds")
	}
	if got := language.For("xx").Stem("words"); got != "words" {
		t.Errorf("stem in an unknown language = %q", got)
	}
}

func TestSentencesAreOfOneParagraph(t *testing.T) {
	got := language.For("en").Sentences("The first\nline goes on. A second one? Yes! It costs 3.5 dollars, e.g. by Mr. Smith. (Who?) asks she. … \n")
	want := []string{"The first line goes on.", "A second one?", "Yes!", "It costs 3.5 dollars, e.g. by Mr. Smith.", "(Who?) asks she."}
	if !slices.Equal(got, want) {
		t.Errorf("Sentences = %q, want %q", got, want)
	}
}

// The library that splits sentences gets no more than a part of a run of signs.
func TestARunOfSignsEndsNoSentence(t *testing.T) {
	for _, sign := range []string{"(", "\u00a0", "\"", "\n"} {
		for _, count := range []int{2, 1000} {
			signs := strings.Repeat(sign, count)
			var words [][]string
			for _, sentence := range language.For("en").Split("Wait." + signs + "for it." + signs + "Now").Sentences {
				words = append(words, sentence.Words[:1])
			}
			if want := [][]string{{"wait"}, {"now"}}; !slices.EqualFunc(words, want, slices.Equal) {
				t.Errorf("%d times %q: the sentences begin with %q, want %q", count, sign, words, want)
			}
		}
	}
}

func TestAvoidedWordsAreFoundInTheirForms(t *testing.T) {
	for _, tc := range []struct {
		tag, text, phrase string
		want              bool
	}{
		{"de-CH", "Das billigste Angebot und billige Schuhe", "billig", true},
		{"de", "Die Bildung", "billig", false},
		{"en", "It was disrupted by disrupting forces", "disrupt", true},
		{"en", "cheap deals", "cheap deal", true},
		{"en", "cheap and deals", "cheap deal", false},
		{"pl", "tanie buty", "tani", false},
		{"ko", "키워드를 찾다", "키워드", true},
	} {
		if got := containsForms(language.For(tc.tag), tc.text, tc.phrase); got != tc.want {
			t.Errorf("%s: forms of %q in %q = %v", tc.tag, tc.phrase, tc.text, got)
		}
	}
}

func TestCompoundsCountForPresence(t *testing.T) {
	for _, tc := range []struct {
		tag, text, phrase string
		want              bool
	}{
		{"de", "Eine gute Kaffeemaschine", "Kaffee", true},
		{"de", "Der Filterkaffee", "der Kaffee", true},
		{"de", "Die Autobahn", "Bahn", false},
		{"en", "The coffeehouse", "coffee", false},
		{"en", "Shoes for running on trails", "running the trail", true},
		{"en", "anything", "!!", false},
	} {
		if got := language.For(tc.tag).Mentions(tc.text, tc.phrase); got != tc.want {
			t.Errorf("%s: Mentions(%q, %q) = %v", tc.tag, tc.text, tc.phrase, got)
		}
	}
}

func TestApostrophes(t *testing.T) {
	for _, tc := range []struct {
		tag, text string
		want      []string
	}{
		{"en", "The cat’s 'toy' isn't here", []string{"the", "catʼs", "toy", "isn", "t", "here"}},
		{"fr", "l'huile d’olive", []string{"l", "huile", "d", "olive"}},
		{"it", "dell'olio", []string{"dell", "olio"}},
		{"en", "R&D of oauth2_proxy & co", []string{"rˆd", "of", "oauth2ˍproxy", "co"}},
	} {
		if got := language.For(tc.tag).Tokens(tc.text); !slices.Equal(got, tc.want) {
			t.Errorf("%s: Tokens(%q) = %q, want %q", tc.tag, tc.text, got, tc.want)
		}
	}
}

func TestRightToLeftMarksAreOptional(t *testing.T) {
	for text, phrase := range map[string]string{"שָׁלוֹם": "שלום", "مُحَمَّد": "محمد", "جمـــيل": "جميل"} {
		if !language.ContainsPhrase(text, phrase) {
			t.Errorf("%q does not contain %q", text, phrase)
		}
	}
}

func TestFunctionWordListsAreFolded(t *testing.T) {
	files, err := os.ReadDir("functionwords")
	if err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, file := range files {
		tag, isList := strings.CutSuffix(file.Name(), ".txt")
		if !isList {
			continue
		}
		lists++
		data, err := os.ReadFile("functionwords/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		p := language.For(tag)
		for word := range strings.FieldsSeq(string(data)) {
			if got := language.Words(word); len(got) != 1 || got[0] != word || !p.IsFunctionWord(word) {
				t.Errorf("%s: %q is not as Words has it: %q", tag, word, got)
			}
		}
	}
	if lists == 0 || lists > 64 {
		t.Errorf("there are %d lists; at most 64 fit", lists)
	}
}

func FuzzLanguage(f *testing.F) {
	for _, seed := range []string{"", "Größe!", "\xff\xfe", "ａｂｃ ﬁ ™", "مُحَمَّد", "Dr. Who? J.R.R. l'été", "İi̇ 🙂‍🙂", "跑鞋。好", "ŉ'", "a'ʼ’b"} {
		f.Add("de", seed)
		f.Add("tr", seed)
		f.Add("ar", seed)
	}
	f.Fuzz(func(t *testing.T, tag, text string) {
		p := language.For(tag)
		for _, words := range [][]string{language.Words(text), p.Tokens(text)} {
			for _, word := range words {
				if word == "" {
					t.Errorf("an empty word in %q", text)
				}
			}
		}
		if len(p.Tokens(text)) > 0 && !containsForms(p, text, text) {
			t.Errorf("%q does not contain itself", text)
		}
		paragraph, words := p.Split(text), 0
		for i, sentence := range p.Sentences(text) {
			if got := paragraph.Sentences[i]; !slices.Equal(got.Words, p.Tokens(sentence)) || got.Count != language.CountWords(sentence) {
				t.Errorf("%q was split into %+v", sentence, got)
			}
			words += len(paragraph.Sentences[i].Words)
		}
		if len(paragraph.Words) != words {
			t.Errorf("%q has %d words, and its sentences %d", text, len(paragraph.Words), words)
		}
		language.CountWords(text)
		language.Fits(tag, text)
		for _, word := range language.Words(text) {
			p.Spellings(word)
		}
	})
}

// containsForms reports whether the words of a phrase follow each other in a text, each in any inflected form.
func containsForms(p *language.Profile, text, phrase string) bool {
	s := p.NewStemmer()
	return s.Stem(p.Tokens(text)).Contains(s.Stem(p.Tokens(phrase)))
}
