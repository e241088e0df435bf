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
	Ref         string `json:"$ref"`
	Type        any
	Enum        []any
	Examples    []any
	Properties  map[string]*schema
	Items       *schema
	OneOf       []*schema
	AnyOf       []*schema
	AllOf       []*schema
	MinItems    int
	MaxItems    *int
	Format      string
	UniqueItems bool
}

// operations are the operations of the document, with their schemas.
type operations struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Ref      string `json:"$ref"`
			Name, In string
			Required bool
			Schema   *schema
		}
		RequestBody *struct {
			Content map[string]struct{ Schema *schema }
		}
	}
	Components struct{ Schemas map[string]*schema }
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

// bodies calls do with a body for each member at each depth of a schema and each wrong value: the example with that value in its place.
func (o operations) bodies(s *schema, do func(body any)) {
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

// TestEveryMessageAboutAFieldIsInHouseWords sends each kind of wrong value to every parameter and member of the document.
func TestEveryMessageAboutAFieldIsInHouseWords(t *testing.T) {
	var o operations
	if err := json.Unmarshal(document.JSON, &o); err != nil {
		t.Fatal(err)
	}
	api := operationtest.NewAlone(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1e6, RequestBurst: 1e6}
	sent, refused, seen := 0, 0, map[string]bool{}
	send := func(r operationtest.Request) {
		r.Key = operationtest.ManagerKey
		got := api.Do(r)
		sent++
		if got.Status < http.StatusBadRequest || got.Status == http.StatusConflict {
			return
		}
		f := operationtest.Failure(t, got)
		if got.Status == http.StatusInternalServerError {
			t.Errorf("%s %s %.200q: got %d: %s", r.Method, r.Path, r.Body, got.Status, got.Raw)
		}
		if got.Status == http.StatusBadRequest {
			refused++
			if len(f.Problem.Details) == 0 || f.Problem.Code != problem.CodeValidation {
				t.Errorf("%s %s %.200q: no field is named: %s", r.Method, r.Path, r.Body, got.Raw)
			}
		}
		for _, d := range f.Problem.Details {
			if (!houseWords.MatchString(d.Message) || foreignWords.MatchString(d.Message) || d.Code == "" || d.Field == "") && !seen[d.Message] {
				seen[d.Message] = true
				t.Errorf("%s %s %.200q: %s: %s (%s)", r.Method, r.Path, r.Body, d.Field, d.Message, d.Code)
			}
		}
	}
	for template, methods := range o.Paths {
		if !strings.HasPrefix(template, "/v1/api/") {
			continue
		}
		path := regexp.MustCompile(`\{number\}`).ReplaceAllString(template, "1")
		path = regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, operationtest.AnyUID)
		for method, op := range methods {
			r := operationtest.Request{Method: strings.ToUpper(method), Path: path}
			required := url.Values{}
			for _, p := range op.Parameters {
				if p.In == "query" && p.Required {
					required.Set(p.Name, fmt.Sprint(o.example(p.Schema, 0)))
				}
			}
			send(r)
			for _, p := range op.Parameters {
				for _, wrong := range wrongValues() {
					text, isText := wrong.(string)
					if !isText {
						text = fmt.Sprint(wrong)
					}
					changed := r
					switch p.In {
					case "query":
						query := maps.Clone(required)
						query[p.Name] = []string{text}
						changed.Path = path + "?" + query.Encode()
					case "header":
						changed.Header = map[string]string{p.Name: text}
					case "path":
						changed.Path = strings.Replace(template, "{"+p.Name+"}", strings.NewReplacer("/", "", "?", "", "%", "", " ", "", "\x1f", "").Replace(text), 1)
						changed.Path = regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(changed.Path, "1")
					}
					send(changed)
				}
			}
			for _, query := range []string{"?%zz=1", "?x=%zz", "?limit=%ff", "?%ff=1", "?q=a;b", "?unknown=1", "?limit=1&limit=1", "?cursor=", "?" + strings.Repeat("x", 300)} {
				changed := r
				changed.Path += query
				send(changed)
			}
			if op.RequestBody == nil {
				continue
			}
			for _, body := range brokenJSON {
				changed := r
				changed.Body, changed.Header = body, map[string]string{"Content-Type": "application/json"}
				send(changed)
			}
			o.bodies(op.RequestBody.Content["application/json"].Schema, func(body any) {
				text, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				changed := r
				changed.Body = string(text)
				send(changed)
			})
		}
	}
	t.Logf("%d of %d requests were refused with 400", refused, sent)
	if refused < 10_000 {
		t.Errorf("only %d requests were refused", refused)
	}
}
