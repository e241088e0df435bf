package htmlform_test

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/pressroom-dev/pressroom/test/htmlform"
)

func form(t *testing.T, fields string) *htmlform.Form {
	t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(`<form action="/other"><input name="other"></form>
<form id="f" action="/send">` + fields + `</form><input form="f" name="outside" value="o"><input name="alone">`))
	if err != nil {
		t.Fatal(err)
	}
	return htmlform.Of(page.Find("#f"))
}

func TestAFormIsSentAsAPageHasIt(t *testing.T) {
	f := form(t, `<input name="text" value="a"><input type="hidden" name="id" value="7"><textarea name="long">
two
lines</textarea><input name="off" disabled><fieldset disabled><input name="within"></fieldset><input value="nameless">
<select name="first"><option>1<option>2</select><select name="second"><option value="x">1<option value="y" selected>2</select>
<input type="checkbox" name="tick" value="1" checked><input type="checkbox" name="tick" value="2"><input type="checkbox" name="bare" checked>
<input type="radio" name="one" value="a"><input type="radio" name="one" value="b" checked>
<input name="question" value="q1"><input name="question" value="q2">
<button name="then" value="go">Go</button><button type="button" name="script" value="s">S</button>`)
	want := url.Values{
		"text": {"a"}, "id": {"7"}, "long": {"two\nlines"}, "first": {"1"}, "second": {"y"}, "tick": {"1"}, "bare": {"on"}, "one": {"b"},
		"question": {"q1", "q2"}, "outside": {"o"},
	}
	if got := f.Values(); f.Action != "/send" || !reflect.DeepEqual(got, want) {
		t.Errorf("%s is sent %v, want %v", f.Action, got, want)
	}
	for name, values := range map[string][]string{
		"text": {"b"}, "tick": {"2"}, "bare": {}, "one": {"a"}, "second": {"x"}, "then": {"go"}, "question": {"q3", "q4"},
	} {
		want[name] = values
		if err := f.Set(name, values...); err != nil {
			t.Error(err)
		}
	}
	delete(want, "bare")
	if got := f.Values(); !reflect.DeepEqual(got, want) {
		t.Errorf("filled in, it is %v, want %v", got, want)
	}
}

func TestNobodyFillsInWhatAPageDoesNotHave(t *testing.T) {
	for _, tt := range []struct{ name, fields, field, value, want string }{
		{"no field", `<input name="text">`, "at", "x", "no field"},
		{"a disabled field", `<input name="at" disabled>`, "at", "x", "no field"},
		{"a field of another form", ``, "other", "x", "no field"},
		{"two fields", `<input type="hidden" name="at" value="1"><input type="datetime-local" name="at">`, "at", "x", "several fields"},
		{"a field and a button", `<input name="at"><button name="at" value="x">At</button>`, "at", "x", "several fields"},
		{"a box and the field that stands for it", `<input type="hidden" name="at" value="0"><input type="checkbox" name="at" value="1">`, "at", "1", "several fields"},
		{"a hidden field", `<input type="hidden" name="at">`, "at", "x", "hidden"},
		{"fewer values than a list has fields", `<input name="question"><input name="question">`, "question", "x", "2 fields"},
		{"no such option", `<select name="at"><option>y</select>`, "at", "x", "does not offer"},
		{"no such box", `<input type="checkbox" name="at" value="y">`, "at", "x", "does not offer"},
		{"no such button", `<button name="at" value="y">At</button>`, "at", "x", "does not offer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := form(t, tt.fields).Set(tt.field, tt.value); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
