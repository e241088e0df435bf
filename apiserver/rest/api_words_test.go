package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// schema is what is read of a schema of the document.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Enum       []any              `json:"enum"`
	Examples   []any              `json:"examples"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	OneOf      []*schema          `json:"oneOf"`
	AnyOf      []*schema          `json:"anyOf"`
	AllOf      []*schema          `json:"allOf"`
	Format     string             `json:"format"`
}

// parameter is what is read of a parameter of the document.
type parameter struct {
	Name     string  `json:"name"`
	In       string  `json:"in"`
	Required bool    `json:"required"`
	Schema   *schema `json:"schema"`
}

// operations are the operations of the document, with their schemas.
type operations struct {
	Paths map[string]map[string]struct {
		Parameters  []parameter `json:"parameters"`
		RequestBody *struct {
			Content map[string]struct {
				Schema *schema `json:"schema"`
			} `json:"content"`
		} `json:"requestBody"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

func (o operations) resolve(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = o.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	if s != nil && s.Type == nil {
		for _, alternatives := range [][]*schema{s.OneOf, s.AnyOf, s.AllOf} {
			if len(alternatives) > 0 {
				return o.resolve(alternatives[0])
			}
		}
	}
	return s
}

// kind is the type of a schema, without null.
func kind(s *schema) string {
	if all, ok := s.Type.([]any); ok {
		return fmt.Sprint(all[0])
	}
	return fmt.Sprint(s.Type)
}

// example returns a value that fits a schema, or nearly.
func (o operations) example(s *schema, depth int) any {
	s = o.resolve(s)
	switch {
	case s == nil || depth > 5:
		return nil
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch kind(s) {
	case "object":
		object := map[string]any{}
		for name, property := range s.Properties {
			object[name] = o.example(property, depth+1)
		}
		return object
	case "array":
		return []any{o.example(s.Items, depth+1)}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	}
	if s.Format == "date-time" {
		return "2026-12-01T09:00:00Z"
	}
	return "something"
}

// wrongValues has a value of each kind, and texts that many formats do not have. Most are wrong for a member.
func wrongValues() []any {
	return []any{
		nil, true, 0, -1, 1.5, 1e300, json.Number("123456789012345678901234567890123456789012345"), "", " ", "x", "-", ",", "a,a",
		"\x1f", "\u00a0", "é", strings.Repeat("x", 5000), strings.Repeat("é ", 3000), "not a uuid", "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f",
		"{0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2}", "urn:uuid:x", "2026-13-01T00:00:00Z", "2026-11-20T9:00:00Z", "2026-11-20T09:00:00,5Z",
		"2026-11-20T09:00:00+25:00", "2026-11-20", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "http://[::1", "ftp://x", "https://x y",
		"javascript:x", "%zz", "a@b@c", "sha256:x", "../x", "<script>", "99999999999999999999",
		[]any{}, []any{nil}, []any{"x", "x"}, []any{1, "", map[string]any{}}, slices.Repeat([]any{"x y"}, 200), map[string]any{},
		map[string]any{"unknown": 1}, []any{map[string]any{"unknown": nil}, map[string]any{"unknown": 1}}, []any{[]any{}},
	}
}

// eachBody calls do with a body for each member at each depth of a schema and each wrong value: the example with that value in its place.
func (o operations) eachBody(s *schema, do func(body any)) {
	whole := o.example(s, 0)
	var walk func(s *schema, depth int, put func(any) any)
	walk = func(s *schema, depth int, put func(any) any) {
		for _, wrong := range wrongValues() {
			do(put(wrong))
		}
		if s = o.resolve(s); s == nil || depth > 3 {
			return
		}
		for name, property := range s.Properties {
			walk(property, depth+1, func(v any) any {
				object, _ := o.example(s, depth).(map[string]any)
				changed := maps.Clone(object)
				changed[name] = v
				return put(changed)
			})
		}
		if s.Items != nil {
			walk(s.Items, depth+1, func(v any) any { return put([]any{v}) })
		}
		if object, ok := o.example(s, depth).(map[string]any); ok && depth == 0 {
			for name := range object {
				less := maps.Clone(object)
				delete(less, name)
				do(put(less))
			}
		}
	}
	walk(s, 0, func(v any) any { return v })
	do(whole)
}

// brokenJSON are texts that are no JSON, or none that is read.
var brokenJSON = []string{
	"", " ", "{", "}", "[", `{"`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{'a':1}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":NaN}`,
	`{"a":"\x"}`, `{"a":"\ud800"}`, `{"a":tru}`, "{\"a\":\"\n\"}", "{\"a\":\"\xff\"}", "\xff\xfe{\x00}\x00", "\ufeff{}", "\x1f\x8b\x08", "{} {}", "{}x", "// x",
	`{"a":1,"a":2}`, strings.Repeat("[", 20_000), `{"a":` + strings.Repeat("[", 20_000), "null", "1e999", "keyword=x", "<a/>", "\x00",
}

var (
	houseWords = regexp.MustCompile(`^(must|may not|is required|is not a known (field|parameter)|is not supported)\b`)
	// foreignWords are of the framework, of encoding/json, of parsers, and of Go.
	foreignWords = regexp.MustCompile(`(?i)expected|invalid|unexpected|cannot|parsing|unmarshal|json:|jsontext|strconv|uuid:|EOF|%!|\bnil\b|panic|struct|interface|0x|` +
		`RFC 4122|is missing|propert|schema|syntax|mime:|"x"`)
)

// wordsTest sends wrong requests, and checks the words of their answers.
type wordsTest struct {
	operations

	t             *testing.T
	api           *operationtest.API
	sent, refused int
	// seen are the messages that were reported.
	seen map[string]bool
}

// send sends a request as somebody who may do everything.
func (w *wordsTest) send(r operationtest.Request) {
	t := w.t
	r.Key = operationtest.ManagerKey
	got := w.api.Do(r)
	w.sent++
	if got.Status < http.StatusBadRequest || got.Status == http.StatusConflict {
		return
	}
	f := operationtest.Failure(t, got)
	switch got.Status {
	case http.StatusInternalServerError:
		t.Errorf("%s %s %.200q: got %d: %s", r.Method, r.Path, r.Body, got.Status, got.Raw)
	case http.StatusBadRequest:
		w.refused++
		if len(f.Problem.Details) == 0 || f.Problem.Code != problem.CodeValidation {
			t.Errorf("%s %s %.200q: no field is named: %s", r.Method, r.Path, r.Body, got.Raw)
		}
	}
	for _, d := range f.Problem.Details {
		right := houseWords.MatchString(d.Message) && !foreignWords.MatchString(d.Message) && d.Code != "" && d.Field != ""
		if !right && !w.seen[d.Message] {
			w.seen[d.Message] = true
			t.Errorf("%s %s %.200q: %s: %s (%s)", r.Method, r.Path, r.Body, d.Field, d.Message, d.Code)
		}
	}
}

var (
	pathParameter = regexp.MustCompile(`\{[a-z_]+\}`)
	// outOfSegment are the characters that would end a segment of a path, or make it one that has no route.
	outOfSegment = strings.NewReplacer("/", "", "?", "", "%", "", " ", "", "\x1f", "", "#", "")
)

// parameters sends wrong values of each parameter, and queries that are wrong whatever the operation is.
func (w *wordsTest) parameters(r operationtest.Request, template string, parameters []parameter) {
	required := url.Values{}
	for _, p := range parameters {
		if p.In == "query" && p.Required {
			required.Set(p.Name, fmt.Sprint(w.example(p.Schema, 0)))
		}
	}
	for _, p := range parameters {
		for _, wrong := range wrongValues() {
			text, changed := fmt.Sprint(wrong), r
			switch p.In {
			case "query":
				query := maps.Clone(required)
				query.Set(p.Name, text)
				changed.Path += "?" + query.Encode()
			case "header":
				changed.Header = map[string]string{p.Name: text}
			case "path":
				changed.Path = strings.Replace(template, "{"+p.Name+"}", outOfSegment.Replace(text), 1)
				changed.Path = pathParameter.ReplaceAllString(changed.Path, "1")
			}
			w.send(changed)
		}
	}
	for _, query := range []string{
		"%zz=1", "x=%zz", "limit=%ff", "%ff=1", "q=a;b", "unknown=1", "limit=1&limit=1", "cursor=", strings.Repeat("x", 300),
	} {
		changed := r
		changed.Path += "?" + query
		w.send(changed)
	}
}

// bodies sends wrong bodies.
func (w *wordsTest) bodies(r operationtest.Request, s *schema) {
	r.Header = map[string]string{"Content-Type": "application/json"}
	for _, r.Body = range brokenJSON {
		w.send(r)
	}
	w.eachBody(s, func(body any) {
		text, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		r.Body = string(text)
		w.send(r)
	})
}

// TestEveryMessageAboutAFieldIsInHouseWords sends each kind of wrong value to every parameter and member of the document.
func TestEveryMessageAboutAFieldIsInHouseWords(t *testing.T) {
	w := wordsTest{t: t, api: operationtest.NewAlone(t), seen: map[string]bool{}}
	if err := json.Unmarshal(document.JSON, &w.operations); err != nil {
		t.Fatal(err)
	}
	w.api.Deps.Limits = operation.Limits{RequestsPerSecond: 1e6, RequestBurst: 1e6}
	for template, methods := range w.Paths {
		if !strings.HasPrefix(template, "/v1/api/") {
			continue
		}
		path := pathParameter.ReplaceAllString(strings.ReplaceAll(template, "{number}", "1"), operationtest.AnyUID)
		for method, op := range methods {
			r := operationtest.Request{Method: strings.ToUpper(method), Path: path}
			w.send(r)
			w.parameters(r, template, op.Parameters)
			if op.RequestBody != nil {
				w.bodies(r, op.RequestBody.Content["application/json"].Schema)
			}
		}
	}
	t.Logf("%d of %d requests were refused with 400", w.refused, w.sent)
	if w.refused < 10_000 {
		t.Errorf("only %d requests were refused", w.refused)
	}
}
