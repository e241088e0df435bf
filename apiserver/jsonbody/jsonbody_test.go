package jsonbody_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
)

type question struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

type request struct {
	Title    string     `json:"title"`
	Markdown string     `json:"content_markdown"`
	Tags     []string   `json:"tags" maxItems:"2" uniqueItems:"true"`
	FAQ      []question `json:"faq" maxItems:"1"`
	Public   bool       `json:"public"`
}

var (
	registry = huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schema   = registry.Schema(reflect.TypeFor[request](), true, "request")
)

// read returns what validation sees of a body, as JSON in which the members of objects are sorted.
func read(t *testing.T, body string) string {
	t.Helper()
	value, refused := jsonbody.Read(registry, schema, []byte(body))
	if refused != nil {
		t.Fatalf("%.100s is refused: %v", body, refused)
	}
	text, err := jsonv2.Marshal(value, jsonv2.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNullsAndBlanksAreDropped(t *testing.T) {
	const body = ` { "title" : "  Shoes " , "public":null,"content_markdown":"  code\n", "tags":[" a ",null],"faq":[{"question":" q ","answer":null}]}`
	const want = `{"content_markdown":"  code\n","faq":[{"question":"q"}],"tags":["a",null],"title":"Shoes"}`
	if got := read(t, body); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestABodyKeepsWhatItsSchemaHas(t *testing.T) {
	for _, body := range []string{
		`{}`, `[]`, `null`, `true`, `"x"`, `-1.5e3`, `{"title":"\"}{][,:\\"}`, `{"content_markdown":"<&>\u2028 é 鞋 😀"}`, `{"tags":[]}`, `{"faq":[{}]}`,
		`{"faq":[{"answer":"a","question":"q"}],"public":true,"tags":["a","b"],"title":"t"}`,
	} {
		if got, want := read(t, body), strings.ReplaceAll(strings.ReplaceAll(body, `\u2028`, "\u2028"), "-1.5e3", "-1500"); got != want &&
			got != strings.ReplaceAll(want, "\u2028", `\u2028`) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWhatASchemaCannotHoldIsCut(t *testing.T) {
	for body, want := range map[string]string{
		`{"tags":["a","b","c","d"]}`:                                              `{"tags":["a","b","c"]}`,
		`{"tags":[` + strings.Repeat("0,", 10_000) + `0]}`:                        `{"tags":[0,0,0]}`,
		`{"tags":[{},[[1]],{"a":{"b":[]}}]}`:                                      `{"tags":[true,true,true]}`,
		`{"title":{"a":[1,2]},"public":[1]}`:                                      `{"public":0,"title":true}`,
		`{"tags":{"a":1},"faq":[[1,2],{}]}`:                                       `{"faq":[[],{}],"tags":{}}`,
		`{"other":[1,{"a":2}],"title":"t"}`:                                       `{"other":0,"title":"t"}`,
		`{"` + strings.Repeat("x", 5000) + `":1}`:                                 `{"` + strings.Repeat("x", 100) + `...":0}`,
		`{"title":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`: `{"title":true}`,
		`[[1,2],[3]]`:        `[]`,
		`{"\u0074itle":"t"}`: `{"title":"t"}`,
	} {
		if got := read(t, body); got != want {
			t.Errorf("%.60s: got %.200s, want %.200s", body, got, want)
		}
	}
}

func TestUnknownMembersHaveABound(t *testing.T) {
	var body strings.Builder
	body.WriteString(`{"title":"t"`)
	for i := range 100_000 {
		fmt.Fprintf(&body, `,"m%d":[{}]`, i)
	}
	if got := read(t, body.String()+"}"); len(got) > 1000 || !strings.Contains(got, `"title":"t"`) {
		t.Errorf("%d bytes are left: %.100s", len(got), got)
	}
}

func TestWhatIsNoJSONIsRefused(t *testing.T) {
	for _, body := range []string{
		"{\"title\":\"\xff\"}", `{"title":`, `{"title":"t"}{}`, `{"title":"t",}`, `{"title":1e999}`, " ", "x", strings.Repeat("[", 256<<10),
		strings.Repeat("[", 11_000) + strings.Repeat("]", 11_000), strings.Repeat(`{"a":`, 256<<10),
		`{"title":"a","title":"b"}`, `{"other":1,"other":2}`, `{"faq":[{"answer":"a","answer":"b"}]}`, `{"title":` + strings.Repeat("1", 1000) + `}`,
	} {
		out, err := jsonbody.Read(registry, schema, []byte(body))
		if err == nil {
			t.Errorf("%.60q became %.60s", body, out)
			continue
		}
		if d := err.Problem.Details; err.GetStatus() != 400 || len(d) != 1 || d[0].Field == "" || len(err.Error()) > 300 {
			t.Errorf("%.60q is refused with %.300v", body, err)
		}
	}
}

func TestControlCharactersAreRefused(t *testing.T) {
	for body, field := range map[string]string{
		`{"title":"a\u0000b"}`: "title", `{"title":"\u001b[31m"}`: "title", `{"tags":["\u007f"]}`: "tags[0]", `{"content_markdown":"\u0085"}`: "content_markdown",
	} {
		_, err := jsonbody.Read(registry, schema, []byte(body))
		if err == nil || err.Problem.Details[0].Field != field {
			t.Errorf("%s: got %v, want an error of %s", body, err, field)
		}
	}
	read(t, `{"content_markdown":"a\r\n\tb","title":"zero\u200dwidth"}`)
}

func BenchmarkRead(b *testing.B) {
	body := []byte(`{"title":"Shoes","content_markdown":"` + strings.Repeat(`A line of a text with \"quotes\".\n`, 6000) + `","tags":["a","b"]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonbody.Read(registry, schema, body); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzRead looks for bodies that a cut breaks.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{}`, `{"tags":[{},"a"],"faq":[{"question":"q","x":[1]}],"y":{"z":"\"}"}}`, `[1, "]" ]`, `"\\"`, `{"a":-1E+2 ,"b":true}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		value, refused := jsonbody.Read(registry, schema, body)
		if refused != nil {
			return
		}
		text, err := jsonv2.Marshal(value)
		if err != nil {
			t.Fatalf("%q cannot be written: %v", body, err)
		}
		if _, refused := jsonbody.Read(registry, schema, text); refused != nil {
			t.Errorf("%q became %q, which is refused: %v", body, text, refused)
		}
	})
}
