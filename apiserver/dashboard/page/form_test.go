package page_test

import (
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

type form struct {
	Name    string
	Text    page.Verbatim
	Ticked  bool
	Scopes  []string
	Score   patch.Member[int32]    `json:"minimum_score"`
	Words   patch.Member[[]string] `json:"avoid_words"`
	Days    int
	Nested  nested
	Read    *nested `json:"expected"`
	Pointer *string
	At      time.Time
}

type nested struct {
	Tone  patch.Member[string]
	Score patch.Member[int32] `json:"minimum_score"`
}

func TestAFormIsReadIntoAStruct(t *testing.T) {
	for _, tt := range []struct {
		name string
		sent url.Values
		want form
	}{
		{"nothing", url.Values{}, form{}},
		{"texts", url.Values{"name": {" a \r\n b "}, "text": {" a \r\n b "}}, form{Name: "a \n b", Text: " a \n b "}},
		{"boxes", url.Values{"ticked": {"on"}, "scopes": {"read", "write"}}, form{Ticked: true, Scopes: []string{"read", "write"}}},
		{"lines", url.Values{"avoid_words": {" a\r\n\r\nb"}}, form{Words: patch.Of([]string{"a", "b"})}},
		{"no lines", url.Values{"avoid_words": {""}}, form{Words: patch.Of([]string{})}},
		{"numbers", url.Values{"minimum_score": {" 70 "}, "days": {"30"}}, form{Score: patch.Of[int32](70), Days: 30}},
		{"a number that was left empty", url.Values{"days": {""}}, form{}},
		{"a number that is too large", url.Values{"minimum_score": {"99999999999"}}, form{Score: patch.Of[int32](1<<31 - 1)}},
		{"members", url.Values{"nested.tone": {"dry"}}, form{Nested: nested{Tone: patch.Of("dry")}}},
		{"an empty member", url.Values{"nested.tone": {""}}, form{Nested: nested{Tone: patch.Of("")}}},
		{"pointers", url.Values{"expected.tone": {"x"}, "pointer": {""}}, form{Read: &nested{Tone: patch.Of("x")}, Pointer: new("")}},
		{"other fields", url.Values{"ticket": {"x"}, "nested.other": {"x"}, "other.name": {"x"}}, form{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := page.FormOf[form](tt.sent); err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestWhatIsNoNumberIsAProblemOfItsField(t *testing.T) {
	for _, typed := range []string{"many", "7.5", "0x10", "1e2", "1 000"} {
		_, err := page.FormOf[form](url.Values{"minimum_score": {typed}, "days": {typed}, "nested.minimum_score": {typed}})
		got := page.FieldProblems(err)
		const want = "must be a whole number"
		if wanted := map[string]string{"minimum_score": want, "days": want, "nested.minimum_score": want}; !reflect.DeepEqual(got, wanted) {
			t.Errorf("%q: got %v, %v", typed, got, err)
		}
	}
	if _, err := page.FormOf[form](url.Values{"minimum_score": {""}}); page.FieldProblems(err)["minimum_score"] == "" {
		t.Errorf("an empty number is taken: %v", err)
	}
}

func TestAFieldThatNoFormHasIsRefused(t *testing.T) {
	for _, name := range []string{"nested", "expected", "at", "Nested"} {
		if _, err := page.FormOf[form](url.Values{name: {"x"}}); page.FieldProblems(err)[name] == "" {
			t.Errorf("%s is read: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "nested.", ".tone", "expected..tone", "scopes.0", "name.x", "nested.tone.given", "minimum_score.given", "days.1"} {
		if got, err := page.FormOf[form](url.Values{name: {"true"}}); err != nil || !reflect.DeepEqual(got, form{}) {
			t.Errorf("%s is read as %+v, %v", name, got, err)
		}
	}
}

func TestOnlyWhatSomebodyHasChangedIsSent(t *testing.T) {
	for _, tt := range []struct {
		name string
		sent url.Values
		want url.Values
	}{
		{"unchanged", url.Values{"name": {"a\r\nb"}, "expected.name": {"a\nb"}}, url.Values{}},
		{"changed", url.Values{"name": {"a"}, "expected.name": {"b"}}, url.Values{"name": {"a"}, "expected.name": {"b"}}},
		{"emptied", url.Values{"name": {""}, "expected.name": {"b"}}, url.Values{"name": {""}, "expected.name": {"b"}}},
		{"not in the form", url.Values{"expected.name": {"b"}}, url.Values{}},
		{"without what was shown", url.Values{"name": {"a"}}, url.Values{"name": {"a"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := page.ChangesOf(tt.sent); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
