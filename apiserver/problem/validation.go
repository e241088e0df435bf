package problem

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// FieldBody is the field of a detail about the body as a whole.
const FieldBody = "body"

// SetFrameworkErrors makes the framework's own errors APIErrors. Its settings for that are variables of its package, so they are
// set once, before the first API is made.
var SetFrameworkErrors = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	// Arrays of an answer are never null.
	huma.DefaultArrayNullable = false
	useHouseWords()
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return fromFramework(status, message, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return fromFramework(status, message, withBodyErrors(ctx.Context(), errs)).For(RequestID(ctx.Context()))
	}
})

type bodyErrorsKey struct{}

// WithBodyErrors returns a context with what validation has found wrong with a body. What the framework finds wrong with the rest of the
// request is reported together with it.
func WithBodyErrors(ctx context.Context, found []error) context.Context {
	return context.WithValue(ctx, bodyErrorsKey{}, found)
}

// OfBody returns the problem of a request of which only the body is wrong; nil if that is right.
func OfBody(ctx context.Context) *APIError {
	found := withBodyErrors(ctx, nil)
	if len(found) == 0 {
		return nil
	}
	return Invalid(details(found)...).For(RequestID(ctx))
}

// withBodyErrors adds what validation has found wrong with the body. Then it is no news that the body cannot be decoded.
func withBodyErrors(ctx context.Context, errs []error) []error {
	found, _ := ctx.Value(bodyErrorsKey{}).([]error)
	if len(found) == 0 {
		return errs
	}
	return append(slices.DeleteFunc(slices.Clone(errs), func(err error) bool {
		d, ok := errors.AsType[*huma.ErrorDetail](err)
		return ok && d.Location == FieldBody
	}), found...)
}

// fromFramework translates an error that the framework found before an operation was reached.
func fromFramework(status int, message string, errs []error) *APIError {
	for _, err := range errs {
		if f, ok := errors.AsType[*APIError](err); ok {
			return f
		}
	}
	switch {
	case message == "request body is required":
		missing := ErrorDetail{Field: FieldBody, Code: DetailRequired, Message: mustBeObject}
		return Invalid(append(details(errs), missing)...)
	case status == http.StatusRequestTimeout, message == "cannot read request body":
		return Incomplete()
	case status >= http.StatusInternalServerError, status < http.StatusBadRequest:
		return Internal("")
	}
	return Invalid(details(errs)...)
}

// details names every field that failed, each once, sorted by name.
func details(errs []error) []ErrorDetail {
	out := make([]ErrorDetail, 0, len(errs))
	for _, err := range errs {
		out = append(out, detail(err))
	}
	slices.SortFunc(out, func(a, b ErrorDetail) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(out, func(a, b ErrorDetail) bool { return a.Field == b.Field })
}

func detail(err error) ErrorDetail {
	d, ok := errors.AsType[*huma.ErrorDetail](err)
	if !ok {
		d = &huma.ErrorDetail{Location: FieldBody, Message: err.Error()}
	}
	field := fieldOf(d.Location)
	code, message := inHouseWords(d.Message)
	if name, missing := strings.CutPrefix(message, requiredProperty); missing && code == DetailRequired {
		return ErrorDetail{Field: Join(field, name), Message: "is required"}
	}
	return ErrorDetail{Field: field, Code: code, Message: message}
}

// fieldOf turns the framework's location into the name that the client used: body.keyword is keyword, query.limit is
// limit, header.x-workspace-id is x-workspace-id.
func fieldOf(location string) string {
	part, name, found := strings.Cut(location, ".")
	switch part {
	case "query":
		// A list is one parameter, whatever is wrong with its items.
		if found {
			name, _, _ = strings.Cut(name, "[")
			return name
		}
	case FieldBody, "header", "path", "cookie":
		if found {
			return name
		}
	}
	return location
}

// Join returns the name of a member of an object for a detail.
func Join(object, member string) string {
	if object == FieldBody || object == "" {
		return member
	}
	return object + "." + member
}
