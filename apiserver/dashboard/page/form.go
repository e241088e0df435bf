package page

import (
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gorilla/schema"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

// Verbatim is a text in a form whose blanks have a meaning. Those around other texts are dropped, as in the bodies of requests.
type Verbatim string

// forms reads forms into structs. Names of fields are those of the JSON of a struct, so that a form can be the request of an operation;
// those without one are named like their field, in any case.
var forms = newDecoder()

func newDecoder() *schema.Decoder {
	d := schema.NewDecoder()
	d.SetAliasTag("json")
	// The ticket, and the button that was pressed, are fields as well.
	d.IgnoreUnknownKeys(true)
	d.ZeroEmpty(true)
	convert(d, trimmed)
	convert(d, func(typed string) Verbatim { return Verbatim(unixLines(typed)) })
	// A box that is not ticked is not sent.
	convert(d, func(typed string) bool { return typed != "" })
	convert(d, func(typed string) patch.Member[string] { return patch.Of(trimmed(typed)) })
	convert(d, func(typed string) patch.Member[[]string] { return patch.Of(Lines(typed)) })
	d.RegisterConverter(patch.Member[int32]{}, wholeNumber)
	return d
}

func convert[T any](d *schema.Decoder, from func(typed string) T) {
	var zero T
	d.RegisterConverter(zero, func(typed string) reflect.Value { return reflect.ValueOf(from(typed)) })
}

// wholeNumber returns the number that was typed. If it is not a whole number, it returns the zero Value, which the decoder reports as an
// error. A number that does not fit into 32 bits becomes the largest or smallest one that does, which the operation refuses.
func wholeNumber(typed string) reflect.Value {
	n, err := strconv.ParseInt(trimmed(typed), 10, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return reflect.Value{}
	}
	return reflect.ValueOf(patch.Of(int32(n)))
}

// unixLines returns a text with the line breaks of Go: browsers send those of MIME.
func unixLines(typed string) string { return strings.ReplaceAll(typed, "\r\n", "\n") }

func trimmed(typed string) string { return strings.TrimSpace(unixLines(typed)) }

// FormAs returns the form that was sent as a T. Its error is that of an operation whose request has such fields.
func FormAs[T any](v *Visit) (T, error) { return decoded[T](v.request.PostForm) }

// Sent is the handler of a form that is read as a T.
func Sent[T any](h func(*Visit, T) (*Answer, error)) Handler {
	return func(v *Visit) (*Answer, error) {
		form, err := FormAs[T](v)
		if err != nil {
			return nil, err
		}
		return h(v, form)
	}
}

func decoded[T any](fields url.Values) (form T, err error) {
	err = forms.Decode(&form, fields)
	wrong, ok := errors.AsType[schema.MultiError](err)
	if !ok {
		return form, err
	}
	details := make([]problem.ErrorDetail, 0, len(wrong))
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		// Only numbers cannot be any text. A field of another type, such as a struct, is in none of our forms.
		detail := problem.ErrorDetail{Field: name, Message: "must be a whole number"}
		if _, ok := errors.AsType[schema.ConversionError](wrong[name]); !ok {
			detail.Message = "may not be in a form"
		}
		details = append(details, detail)
	}
	return form, problem.Invalid(details...)
}

// Expected begins the name of the hidden field that has what another one was shown with: the member expected of a request.
const Expected = "expected."

// ChangesAs reads the form that was sent into a T, without the fields that still have the value with which the form was shown: the
// operation then keeps what others have changed meanwhile.
func ChangesAs[T any](v *Visit) (T, error) { return decoded[T](changesOf(v.request.PostForm)) }

func changesOf(sent url.Values) url.Values {
	fields := maps.Clone(sent)
	for was := range sent {
		name, ok := strings.CutPrefix(was, Expected)
		if ok && (!fields.Has(name) || trimmed(fields.Get(name)) == trimmed(fields.Get(was))) {
			fields.Del(name)
			fields.Del(was)
		}
	}
	return fields
}

// Changed returns the values of the fields that do not have the value with which the form was shown, by the names of the fields.
func (v *Visit) Changed() map[string]string {
	texts := map[string]string{}
	for name, values := range changesOf(v.request.PostForm) {
		texts[name] = unixLines(values[0])
	}
	return texts
}

// FormGroup returns the fields whose names begin with a name and a dot, by what follows.
func (v *Visit) FormGroup(name string) map[string]string {
	group := map[string]string{}
	for field, values := range v.request.PostForm {
		if member, ok := strings.CutPrefix(field, name+"."); ok {
			group[member] = trimmed(values[0])
		}
	}
	return group
}
