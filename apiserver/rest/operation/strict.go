package operation

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const keyHeader = "Idempotency-Key"

// readStrictly refuses what would change the meaning of a request if it were ignored: a filter that is misspelt would list everything.
// UUIDs in the path and in the query are folded to lower case (RFC 9562, section 4), in which they are compared.
func (s *Core) readStrictly(ctx huma.Context, next func(huma.Context)) {
	c := humagin.Unwrap(ctx)
	query, details := readQuery(ctx.Operation(), c.Request.URL.RawQuery)
	details = append(details, checkHeaders(ctx.Operation(), c.Request.Header)...)
	details = append(details, checkPath(ctx.Operation(), c.Params)...)
	if len(details) > 0 {
		slices.SortStableFunc(details, func(a, b problem.ErrorDetail) int { return strings.Compare(a.Field, b.Field) })
		s.refuse(ctx, problem.Invalid(details...))
		return
	}
	c.Request.URL.RawQuery = query.Encode()
	for i := range c.Params {
		c.Params[i].Value = foldUID(c.Params[i].Value)
	}
	next(ctx)
}

// readQuery reads a query, each of whose parameters must be known, and come once and with a value: a list has commas.
func readQuery(op *huma.Operation, raw string) (url.Values, []problem.ErrorDetail) {
	var details []problem.ErrorDetail
	query := url.Values{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, err := readPair(pair)
		switch param := paramOf(op, "query", name); {
		case err != nil:
			details = append(details, problem.ErrorDetail{Field: name, Message: mustBeEncoded})
		case param == nil:
			details = append(details, problem.ErrorDetail{Field: name, Message: "is not a known parameter"})
		case query.Has(name):
			details = append(details, problem.ErrorDetail{Field: name, Message: "must not come twice"})
		default:
			if wrong := checkValue(param, value); wrong != "" {
				details = append(details, problem.ErrorDetail{Field: name, Message: wrong})
			}
		}
		query.Add(name, foldUID(value))
	}
	return query, details
}

// mustBeEncoded is the message about a parameter that cannot be decoded.
const mustBeEncoded = "must be encoded as in a form: & = % + ; # and characters other than ASCII as a % with two hexadecimal digits"

// readPair decodes a parameter of a query. If that fails, its name is as it stands there.
func readPair(pair string) (name, value string, err error) {
	name, value, _ = strings.Cut(pair, "=")
	decoded, err := url.ParseQuery(pair)
	if err != nil {
		return name, value, err
	}
	for name, values := range decoded {
		return name, values[0], nil
	}
	return name, value, nil
}

// checkValue returns what is wrong with a value of a parameter, whatever the parameter is; empty if nothing is.
func checkValue(p *huma.Param, value string) string {
	switch {
	case value == "":
		return "must not be empty"
	case !utf8.ValidString(value):
		return "must be UTF-8"
	case strings.ContainsFunc(value, jsonbody.IsForbidden):
		return "may not have control characters"
	case p.Schema.Type == huma.TypeInteger && !integer.MatchString(value):
		return "must be an integer"
	}
	return ""
}

// integer is the one form of an integer in an address. Go reads more forms.
var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// checkPath checks the parameters of the path.
func checkPath(op *huma.Operation, params gin.Params) (details []problem.ErrorDetail) {
	for _, p := range params {
		param := paramOf(op, "path", p.Key)
		if param == nil || param.Schema.Type != huma.TypeInteger {
			// There is no such object.
			continue
		}
		if wrong := checkValue(param, p.Value); wrong != "" {
			details = append(details, problem.ErrorDetail{Field: p.Key, Message: wrong})
		}
	}
	return details
}

// paramOf returns a parameter of an operation; nil if it has none of this name.
func paramOf(op *huma.Operation, in, name string) *huma.Param {
	i := slices.IndexFunc(op.Parameters, func(p *huma.Param) bool { return p.In == in && p.Name == name })
	if i < 0 {
		return nil
	}
	return op.Parameters[i]
}

// foldUID returns a UUID in lower case, and any other value as it is.
func foldUID(value string) string {
	if lower := strings.ToLower(value); identity.IsUID(lower) {
		return lower
	}
	return value
}
