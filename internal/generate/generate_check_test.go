package generate_test

import (
	"errors"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

func TestWordsWithoutWhichNoTextCanBeWrittenAreRefusedBeforeTheModelIsAsked(t *testing.T) {
	for _, c := range []struct {
		name        string
		request     generate.Request
		wantRefusal bool
	}{
		{"an English article", generate.Request{AvoidWords: []string{"unleash", "The "}}, true},
		{"a keyword that needs it", generate.Request{Keyword: "the shining", AvoidWords: []string{"the"}}, false},
		{"a word that texts can do without", generate.Request{AvoidWords: []string{"game-changer", "you"}}, false},
		{"of another language", generate.Request{Language: "en", AvoidWords: []string{"und"}}, false},
		{"Swiss German", generate.Request{Language: "de-CH", AvoidWords: []string{"UND"}}, true},
		{"a language without a list", generate.Request{Language: "fi", AvoidWords: []string{"ja"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused, ok := errors.AsType[*generate.Error](generate.CheckWords(c.request))
			if ok != c.wantRefusal {
				t.Fatalf("refused: %v, want %v", refused, c.wantRefusal)
			}
			if ok && refused.Reason != v1alpha1.ReasonInvalidRequest {
				t.Errorf("the reason is %s", refused.Reason)
			}
		})
	}
}

func TestTheBuiltInGeneratorRefusesWordsOfItsOutlineInAdvance(t *testing.T) {
	g, err := generate.New(generate.Config{Type: v1alpha1.GeneratorBuiltIn})
	if err != nil {
		t.Fatal(err)
	}
	refused, ok := errors.AsType[*generate.Error](generate.Check(g, generate.Request{Keyword: "shoes", AvoidWords: []string{"outline"}}))
	if !ok || refused.Reason != v1alpha1.ReasonInvalidRequest {
		t.Errorf("got %v, want %s", refused, v1alpha1.ReasonInvalidRequest)
	}
	if err := generate.Check(g, generate.Request{Keyword: "shoes", AvoidWords: []string{"unleash"}}); err != nil {
		t.Errorf("got %v, want none", err)
	}
}

func TestAnArticleWithNothingButAForbiddenWordFailsForTheSettingsOfTheAccount(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			avoid := request()
			avoid.AvoidWords = []string{"cheap"}
			cheap := w.says(goodBody() + "\nThey are CHEAP.")
			_, err := newEndpoint(t, w.says(goodFields), cheap, w.says(goodBody()+"\nThey are CHEAP.")).generator(t, w.kind).Generate(t.Context(), avoid, nil)
			if got := wantError(t, err, v1alpha1.ReasonInvalidAnswer, false); !got.Settings {
				t.Errorf("got %+v, want a failure for the settings", got)
			}
			_, err = newEndpoint(t, w.says(goodFields), cheap, w.says("cheap and short")).generator(t, w.kind).Generate(t.Context(), avoid, nil)
			if got := wantError(t, err, v1alpha1.ReasonInvalidAnswer, true); got.Settings {
				t.Errorf("got %+v, want a failure of the model", got)
			}
		})
	}
}
