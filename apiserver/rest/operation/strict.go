package operation

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const keyHeader = "Idempotency-Key"

// readStrictly refuses what would change the meaning of a request if it were ignored: a filter that is misspelt would list everything.
// UUIDs in the path and in the query are folded to lower case (RFC 9562, section 4), in which they are compared.
func (s *Core) readStrictly(ctx huma.Context, next func(huma.Context)) {
	c := humagin.Unwrap(ctx)
	query, details := readQuery(ctx.Operation(), c.Request.URL.RawQuery)
	details = append(details, checkKey(ctx.Operation(), c.Request.Header.Values(keyHeader))...)
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
			details = append(details, problem.ErrorDetail{Field: name, Message: "must be encoded as in a form: " + err.Error()})
		case param == nil:
			details = append(details, problem.ErrorDetail{Field: name, Message: "is not a known parameter"})
		case value == "":
			details = append(details, problem.ErrorDetail{Field: name, Message: "must not be empty"})
		case query.Has(name):
			details = append(details, problem.ErrorDetail{Field: name, Message: "must not come twice"})
		}
		query.Add(name, foldUID(value))
	}
	return query, details
}

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

// checkKey refuses an Idempotency-Key that would be ignored: a client that sends one believes that it may repeat its request.
func checkKey(op *huma.Operation, given []string) []problem.ErrorDetail {
	switch supported := paramOf(op, "header", keyHeader) != nil; {
	case len(given) == 0 || op.Method == http.MethodGet:
		return nil
	case !supported:
		return []problem.ErrorDetail{{Field: keyHeader, Message: "is not supported by this operation"}}
	case len(given) > 1 || given[0] == "":
		return []problem.ErrorDetail{{Field: keyHeader, Message: "must come once, and have 1 to 255 characters"}}
	}
	return nil
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
