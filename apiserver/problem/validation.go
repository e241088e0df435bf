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
	"github.com/danielgtaylor/huma/v2/validation"
)

// unknownParameter is the framework's message about a query parameter that an operation does not have.
const unknownParameter = "unknown query parameter"

// FieldBody is the field of a detail about the body as a whole.
const FieldBody = "body"

// mustBeTime is the message about a text that is no time.
const mustBeTime = "must be a date and time of RFC 3339, such as 2026-11-20T09:00:00Z"

// SetFrameworkErrors makes the framework's own errors APIErrors. Its settings for that are variables of its package, so they are
// set once, before the first API is made.
var SetFrameworkErrors = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	// Arrays of an answer are never null.
	huma.DefaultArrayNullable = false
	validation.MsgExpectedMinLength = "must be at least %d characters long"
	validation.MsgExpectedMaxLength = "must be at most %d characters long"
	validation.MsgExpectedMinItems, validation.MsgExpectedMaxItems = "must be at least %d entries", "must be at most %d entries"
	validation.MsgExpectedMinimumNumber, validation.MsgExpectedMaximumNumber = "must not be below %v", "must not be above %v"
	validation.MsgExpectedRFC3339DateTime = mustBeTime
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
		return Invalid(append(details(errs), ErrorDetail{Field: FieldBody, Message: "a JSON object is required"})...)
	case status == http.StatusRequestTimeout, message == "cannot read request body":
		return Invalid(ErrorDetail{Field: FieldBody, Message: "could not be read to its end"})
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
		return ErrorDetail{Field: FieldBody, Message: err.Error()}
	}
	field, message := fieldOf(d.Location), d.Message
	if name, missing := missingProperty(message); missing {
		return ErrorDetail{Field: Join(field, name), Message: "is required"}
	}
	switch {
	case strings.HasPrefix(message, "required ") && strings.HasSuffix(message, " is missing"):
		message = "is required"
	case message == unknownParameter:
		message = "is not a known parameter"
	case message == validation.MsgUnexpectedProperty:
		message = "is not a known field"
	case message == "invalid integer":
		message = "must be an integer"
	case strings.HasPrefix(message, "invalid date/time"):
		message = mustBeTime
	case strings.HasPrefix(message, "invalid character"), strings.HasPrefix(message, "unexpected end of JSON"):
		message = "must be valid JSON: " + message
	}
	return ErrorDetail{Field: field, Message: message}
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

// missingProperty returns the name of a missing member: the framework reports it at the object that lacks it.
func missingProperty(message string) (string, bool) {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	if !strings.HasPrefix(message, before) || !strings.HasSuffix(message, after) {
		return "", false
	}
	return message[len(before) : len(message)-len(after)], true
}

// Join returns the name of a member of an object for a detail.
func Join(object, member string) string {
	if object == FieldBody || object == "" {
		return member
	}
	return object + "." + member
}
