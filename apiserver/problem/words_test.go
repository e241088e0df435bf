package problem_test

import (
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Whatever the framework, a library or Go says of a value, a client reads what must be.
func TestMessagesOfTheFrameworkAreInHouseWords(t *testing.T) {
	problem.SetFrameworkErrors()
	house := regexp.MustCompile(`^(must|may not|is required|is not a known|is not supported)\b`)
	for said, want := range map[string]problem.ErrorDetail{
		"invalid integer":                              {Code: problem.DetailWrongType, Message: "must be an integer"},
		"invalid float":                                {Code: problem.DetailWrongType, Message: "must be a number"},
		"invalid floating value":                       {Code: problem.DetailWrongType, Message: "must be a number"},
		"invalid boolean":                              {Code: problem.DetailWrongType, Message: "must be true or false"},
		"invalid url.URL value":                        {Code: problem.DetailMalformed, Message: "must be a URL"},
		"required query parameter is missing":          {Code: problem.DetailRequired, Message: "is required"},
		"unknown query parameter":                      {Code: problem.DetailUnknownField, Message: "is not a known parameter"},
		"must be after from":                           {Code: problem.DetailInvalid, Message: "must be after from"},
		"invalid value: uuid: incorrect UUID length 3": {Code: problem.DetailInvalid, Message: "must be as the OpenAPI document describes it"},
		"json: cannot unmarshal number 5 into Go struct field .n of type int32": {
			Code: problem.DetailInvalid, Message: "must be as the OpenAPI document describes it",
		},
	} {
		e := huma.NewError(http.StatusUnprocessableEntity, "validation failed", &huma.ErrorDetail{Location: "query.x", Message: said})
		refused, ok := errors.AsType[*problem.APIError](e)
		want.Field = "x"
		if !ok || len(refused.Problem.Details) != 1 || refused.Problem.Details[0] != want || !house.MatchString(want.Message) {
			t.Errorf("%s: got %+v, want %+v", said, e, want)
		}
	}
}

type everyFormat struct {
	DateTime string   `json:"dateTime" format:"date-time"`
	HTTP     string   `json:"http" format:"date-time-http"`
	Date     string   `json:"date" format:"date"`
	Time     string   `json:"time" format:"time"`
	Duration string   `json:"duration" format:"duration"`
	Email    string   `json:"email" format:"email"`
	Host     string   `json:"host" format:"hostname"`
	IPv4     string   `json:"ipv4" format:"ipv4"`
	IPv6     string   `json:"ipv6" format:"ipv6"`
	IP       string   `json:"ip" format:"ip"`
	URI      string   `json:"uri" format:"uri"`
	Template string   `json:"template" format:"uri-template"`
	UUID     string   `json:"uuid" format:"uuid"`
	Pointer  string   `json:"pointer" format:"json-pointer"`
	Relative string   `json:"relative" format:"relative-json-pointer"`
	Regex    string   `json:"regex" format:"regex"`
	Base64   string   `json:"base64" encoding:"base64"`
	OneOf    string   `json:"oneOf" enum:"a,b"`
	Pattern  string   `json:"pattern" pattern:"^x$"`
	Named    string   `json:"named" pattern:"^x$" patternDescription:"an x"`
	Many     []string `json:"many" minItems:"3" maxItems:"1" uniqueItems:"true"`
	Above    int      `json:"above" exclusiveMinimum:"5" exclusiveMaximum:"1" multipleOf:"2"`
	Number   float64  `json:"number" minimum:"5" maximum:"1"`
}

// The validation of a schema says nothing in words of its own, whatever the schema is.
func TestEveryFormatOfASchemaHasHouseWords(t *testing.T) {
	problem.SetFrameworkErrors()
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schema := registry.SchemaFromRef(registry.Schema(reflect.TypeFor[everyFormat](), true, "").Ref)
	value := map[string]any{"unknown": 1, "many": []any{"a", "a"}, "above": 3., "number": 2.5}
	for name, property := range schema.Properties {
		if property.Type == huma.TypeString {
			value[name] = "%zz(\x01"
		}
	}
	var found huma.ValidateResult
	field := huma.NewPathBuffer([]byte(problem.FieldBody), len(problem.FieldBody))
	huma.Validate(registry, schema, field, huma.ModeWriteToServer, value, &found)
	for _, wrongType := range []any{nil, true, map[string]any{}, []any{}} {
		for name := range schema.Properties {
			huma.Validate(registry, schema, field, huma.ModeWriteToServer, map[string]any{name: wrongType}, &found)
		}
	}
	if len(found.Errors) < 100 {
		t.Errorf("only %d errors", len(found.Errors))
	}
	house := regexp.MustCompile(`^(must|may not|is required|is not a known field)\b`)
	for _, err := range found.Errors {
		d := problem.OfBody(problem.WithBodyErrors(t.Context(), []error{err})).Problem.Details[0]
		if !house.MatchString(d.Message) || strings.ContainsAny(d.Message, "\x1f%") || d.Code == "" || strings.Contains(d.Message, "invalid") {
			t.Errorf("%s: %q (%s)", d.Field, d.Message, d.Code)
		}
	}
}

func TestConflictsHaveTheCodesOfTheirDetails(t *testing.T) {
	for _, e := range []*problem.APIError{
		problem.KeyReused(problem.ErrorDetail{Field: "keyword", Message: "differs"}),
		problem.Conflict(problem.ReasonSettingsChanged, "changed", problem.ErrorDetail{Field: "name", Message: `is "x" now`}),
	} {
		if got := e.Problem.Details; len(got) != 1 || got[0].Code != problem.DetailInvalid {
			t.Errorf("got %+v, want the code invalid", got)
		}
	}
}
