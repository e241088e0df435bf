package language_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// plainTokens is Tokens by the functions that look at one word after another.
func plainTokens(p *language.Profile, text string) []string {
	runes := []rune(text)
	for i := 1; i+1 < len(runes); i++ {
		joined := unicode.IsLetter(runes[i-1]) || unicode.IsDigit(runes[i-1])
		if at := strings.IndexRune("'’_&", runes[i]); at >= 0 && joined && (unicode.IsLetter(runes[i+1]) || unicode.IsDigit(runes[i+1])) {
			runes[i] = map[rune]rune{'\'': 'ʼ', '’': 'ʼ', '_': 'ˍ', '&': 'ˆ'}[runes[i]]
		}
	}
	var tokens []string
	for _, word := range language.Words(string(runes)) {
		before, after, found := strings.Cut(word, "ʼ")
		if after = strings.Trim(after, "ʼ"); found && after != "" && p.IsFunctionWord(before) {
			tokens = append(tokens, before, after)
		} else if word = strings.Trim(word, "ʼ"); word != "" {
			tokens = append(tokens, word)
		}
	}
	return tokens
}

var readTexts = []string{
	"The first line goes on. A second one? Yes! It costs 3.5 dollars, e.g. by Mr. Smith. (Who?) asks she. …", "l'huile d’olive qu'il a", "cat's 'toy'",
	"C++ and C#. oauth2_proxy & R&D", "Größe: İstanbul straße ﬁn ™", "跑鞋很好。ABC跑鞋です。カタカナ、ひらがな", "跑&鞋 A&B", "키워드를 찾다. 네", "שָׁלוֹם עולם. מה?", "Ο Σίσυφος πήγε. Ναι;",
	"Привет, мир! Ёлка? да…«нет»", "a. B. a.b!c? U.S. said. 3.4.5 x", "สวัสดีครับ ภาษา", "नमस्ते दुनिया। ठीक", "🙂 x🙂‍🙂y", "a—b a-b don't—x", "e\u0301té \u0301x", "\xff'a", "ʼaʼ'b", "bunların bunlar kitabım kitaplarından", "Let's l'" + strings.Repeat("x", 120),
}

func FuzzReader(f *testing.F) {
	for _, text := range readTexts {
		for _, tag := range []string{"en", "fr", "ko"} {
			f.Add(tag, text)
		}
	}
	f.Fuzz(func(t *testing.T, tag, text string) {
		text = strings.ToValidUTF8(text, "?")
		p := language.For(tag)
		r := p.NewReader()
		if got, want := p.Tokens(text), plainTokens(p, text); !slices.Equal(got, want) {
			t.Errorf("%s: Tokens(%q) = %q, want %q", tag, text, got, want)
		}
		split, all := r.Sentences(text)
		want := p.Sentences(text)
		if len(split) != len(want) {
			t.Fatalf("%q has %d sentences, want %d", text, len(split), len(want))
		}
		words := 0
		for i, sentence := range split {
			var got []string
			for _, w := range r.WordsOf(sentence) {
				got = append(got, r.Text(w))
			}
			if tokens := plainTokens(p, want[i]); !slices.Equal(got, tokens) {
				t.Errorf("%s: the words of %q are %q, want %q", tag, want[i], got, tokens)
			}
			if count := language.CountWords(want[i]); int(sentence.Count) != count {
				t.Errorf("%q has %d words, want %d", want[i], sentence.Count, count)
			}
			words += len(r.WordsOf(sentence))
		}
		if len(all) != words {
			t.Errorf("%q has %d words, and its sentences %d", text, len(all), words)
		}
	})
}

// Sentences are those of the library for the same text, but for what Continues says.
func FuzzSentences(f *testing.F) {
	for _, text := range readTexts {
		f.Add("en", text)
	}
	f.Fuzz(checkSentences)
}

func checkSentences(t *testing.T, tag, text string) {
	t.Helper()
	text = strings.ReplaceAll(strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "), "\u0085", " ")
	var want []string
	start, end := 0, 0
	for tokens := sentences.FromString(text); tokens.Next(); {
		end += len(tokens.Value())
		if end < len(text) && language.Continues(tag, text[start:end], text[end:]) {
			continue
		}
		if sentence := strings.TrimSpace(text[start:end]); strings.ContainsFunc(sentence, language.IsWordRune) {
			want = append(want, sentence)
		}
		start = end
	}
	if got := language.For(tag).Sentences(text); !slices.Equal(got, want) {
		t.Errorf("Sentences(%q) = %q, want %q", text, got, want)
	}
}

// The texts are of characters of all kinds that the rules of UAX #29 know, in any order.
func TestSentencesOfAnyMarksAreThoseOfTheLibrary(t *testing.T) {
	alphabet := []rune(".!?。․؟aAéÉѴაあ1٣,、:-–()[]\"'»«’”  \u00a0\t\u00ad\u200d\u0301\u0e38ⓐª|%ˈ#🙂")
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		text := make([]rune, 1+random.IntN(12))
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
		}
		checkSentences(t, "en", string(text))
	}
}

// A rule of UAX #29 looks ahead from each sign that closes a sentence. That takes no time that grows with the square of a text: this test
// would take minutes.
func TestMarksThatCloseTakeLittleTime(t *testing.T) {
	const signs = 1 << 18
	for _, sign := range []string{"(", "\u00a0", "\"", "1", ".", "\u0301", ",", "() "} {
		text := "A." + strings.Repeat(sign, signs/len(sign)) + "b"
		if got := language.For("en").Sentences(text); len(got) == 0 {
			t.Errorf("%q: no sentence", sign)
		}
	}
}

// No word is passed over that has the stem.
func FuzzWordsThatMayHaveAStem(f *testing.F) {
	for _, tag := range append(language.StemmedTags(), "cs", "ko") {
		for _, text := range paragraphs {
			f.Add(tag, text)
		}
		for _, text := range readTexts {
			f.Add(tag, text)
		}
	}
	f.Add("fi", "0llAAAAA")
	f.Fuzz(func(t *testing.T, tag, text string) {
		p := language.For(tag)
		for _, word := range p.Tokens(strings.ToValidUTF8(text, "?")) {
			if stem := p.Stem(word); !language.MayHaveStem(p, word, stem) {
				t.Errorf("%s: the stem of %q is %q", tag, word, stem)
			}
		}
	})
}
