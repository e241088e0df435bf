package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// place is where an argument goes in a request.
type place int

const (
	inBody place = iota
	inPath
	inQuery
	inHeader
	// inResult chooses a part of the result.
	inResult
)

// argument is a member of the arguments of a tool.
type argument struct {
	in place
	// param is its name in the request.
	param string
	// kind is its type in JSON, of arguments that are not in the body. uid means that it must be a UUID too.
	kind     string
	uid      bool
	required bool
}

// given are the arguments of a call.
type given map[string]jsontext.Value

// readGiven reads the arguments of a call. Those that are absent or null are none.
func readGiven(raw json.RawMessage) (given, *problem.APIError) {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		return given{}, nil
	}
	var out given
	if err := jsonv2.Unmarshal(raw, &out); err != nil {
		return nil, problem.Invalid(problem.ErrorDetail{
			Field: "arguments", Message: "must be an object in UTF-8, each of whose members comes once",
		})
	}
	return out, nil
}

// message returns the request that the arguments of a call make. What cannot be part of a request is refused here. All else is validated by
// the operation.
func (t *tool) message(args given) (operation.Message, *problem.APIError) {
	m := operation.Message{Path: map[string]string{}, Query: url.Values{}, Header: http.Header{}}
	body := map[string]any{}
	maps.Copy(body, t.preset)
	var wrong []problem.ErrorDetail
	for name, value := range args {
		a, known := t.arguments[name]
		switch {
		case !known:
			wrong = append(wrong, problem.ErrorDetail{Field: shown(name), Message: "is not a known argument"})
		case a.in == inBody && value.Kind() == 'n' && t.preset[name] != nil:
			// It is left out.
		case a.in == inBody:
			body[name] = value
		case value.Kind() == 'n':
			// A client that must give all arguments gives null for those that it leaves out.
		default:
			if e := t.set(&m, a, value); e != "" {
				wrong = append(wrong, problem.ErrorDetail{Field: name, Message: e})
			}
		}
	}
	wrong = append(wrong, t.missing(args)...)
	if len(wrong) > 0 {
		slices.SortFunc(wrong, func(a, b problem.ErrorDetail) int { return strings.Compare(a.Field, b.Field) })
		return m, problem.Invalid(wrong...)
	}
	refused := t.setBody(&m, body)
	return m, refused
}

// missing returns what a call lacks of the arguments that are not in the body.
func (t *tool) missing(args given) (wrong []problem.ErrorDetail) {
	for name, a := range t.arguments {
		if value := args[name]; a.required && a.in != inBody && (value == nil || value.Kind() == 'n') {
			wrong = append(wrong, problem.ErrorDetail{Field: name, Message: "is required"})
		}
	}
	return wrong
}

// setBody sets the body of a request, if the operation has one and it has members or must be there.
func (t *tool) setBody(m *operation.Message, body map[string]any) *problem.APIError {
	if t.needsBody || len(body) > 0 {
		var err error
		if m.Body, err = jsonv2.Marshal(body, jsonv2.Deterministic(true)); err != nil {
			return problem.Invalid(problem.ErrorDetail{Field: "arguments", Message: "must be valid JSON in UTF-8"})
		}
	}
	return nil
}

// maxShown bounds the name of an unknown argument in an error, in bytes.
const maxShown = 64

// shown returns the beginning of a name that a client has made up.
func shown(name string) string {
	if len(name) <= maxShown {
		return name
	}
	return strings.ToValidUTF8(name[:maxShown], "") + "…"
}

// set sets an argument that is not in the body. It returns what is wrong with it; empty if nothing is.
func (t *tool) set(m *operation.Message, a argument, value jsontext.Value) (wrong string) {
	text, ok := textOf(a.kind, value)
	switch {
	case !ok:
		return "must be " + kinds[a.kind]
	case a.in == inPath && a.uid && !identity.IsUID(strings.ToLower(text)):
		return "must be a UUID, as lists have it"
	case a.in == inPath && a.kind == "integer" && strings.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' }):
		return "must be a whole number, without a sign and without a fraction"
	}
	switch a.in {
	case inPath:
		m.Path[a.param] = text
	case inQuery:
		m.Query.Set(a.param, text)
	case inHeader:
		m.Header.Set(a.param, text)
	case inResult:
		if _, err := strconv.ParseUint(text, 10, 31); err != nil {
			return "must be a whole number, 0 or more"
		}
	case inBody:
	}
	return ""
}

// kinds has the types of arguments in words.
var kinds = map[string]string{
	"string": "a string", "integer": "an integer", "number": "a number", "boolean": "true or false", "array": "a list of strings",
}

// textOf returns a value as it stands in an address or in a header field. It reports whether the value has the type.
func textOf(kind string, value jsontext.Value) (text string, ok bool) {
	switch got := value.Kind(); {
	case kind == "string" && got == '"':
		err := jsonv2.Unmarshal(value, &text)
		return text, err == nil
	case kind == "array" && got == '[':
		var items []string
		err := jsonv2.Unmarshal(value, &items)
		return strings.Join(items, ","), err == nil
	case (kind == "integer" || kind == "number") && got == '0', kind == "boolean" && (got == 't' || got == 'f'):
		return string(value), true
	default:
		return "", false
	}
}

// offset returns the byte at which the text of a result begins.
func (g given) offset() int {
	n, err := strconv.Atoi(string(g[offsetArgument]))
	if err != nil {
		return 0
	}
	return n
}

// fill names the workspace of a call that names none, if the credential opens only one.
func (t *tool) fill(m operation.Message, opened func() []string) {
	if _, takes := t.arguments[workspaceArgument]; !takes || len(m.Header.Values(operation.WorkspaceHeader)) > 0 {
		return
	}
	if names := opened(); len(names) == 1 {
		m.Header.Set(operation.WorkspaceHeader, names[0])
	}
}

// renamed returns an error with the names of arguments for those of header fields.
func renamed(e *problem.APIError) *problem.APIError {
	out := *e
	out.Problem.Details = slices.Clone(e.Problem.Details)
	for header, h := range headers {
		for i, d := range out.Problem.Details {
			if strings.EqualFold(d.Field, header) {
				out.Problem.Details[i].Field = h.argument
				out.Problem.Message = strings.Replace(out.Problem.Message, d.Field+": ", h.argument+": ", 1)
			}
		}
	}
	return &out
}

// limitArgument is how many items a list has at most.
const limitArgument = "limit"

// limited returns the arguments with another limit.
func (g given) limited(limit int) given {
	out := maps.Clone(g)
	out[limitArgument] = jsontext.Value(strconv.Itoa(limit))
	return out
}
