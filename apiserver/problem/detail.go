package problem

import "strings"

// ErrorDetail names one field of the request that failed, and why.
type ErrorDetail struct {
	Field   string     `json:"field" doc:"Name of the field: as in the body, of the query parameter or of the header." example:"keyword"`
	Code    DetailCode `json:"code" doc:"What is wrong with the field, for programs: such as required, unknown_field, too_short, too_long, wrong_type, not_one_of, malformed, duplicate; invalid for all else. Later versions may add some." example:"too_short"`
	Message string     `json:"message" doc:"What must be." example:"must be at least 2 characters long"`
}

// DetailCode says for programs what is wrong with a field.
type DetailCode string

// The codes of details. Later versions may add some.
const (
	// Invalid is a rule that has no code of its own.
	DetailInvalid DetailCode = "invalid"
	// Required is a field that is missing.
	DetailRequired DetailCode = "required"
	// UnknownField is a field or a parameter that the operation does not have.
	DetailUnknownField DetailCode = "unknown_field"
	// Duplicate is a field that comes twice, or an item that a list has twice.
	DetailDuplicate DetailCode = "duplicate"
	// Empty is a parameter without a value.
	DetailEmpty DetailCode = "empty"
	// WrongType is a value of another type.
	DetailWrongType DetailCode = "wrong_type"
	// NotOneOf is a value that is none of those that are possible.
	DetailNotOneOf DetailCode = "not_one_of"
	// Malformed is a text that has not the form that it must have.
	DetailMalformed DetailCode = "malformed"
	// DetailTooShort and DetailTooLong are about the length of a text or of a list, DetailTooSmall and DetailTooLarge about a number.
	DetailTooShort DetailCode = "too_short"
	DetailTooLong  DetailCode = "too_long"
	DetailTooSmall DetailCode = "too_small"
	DetailTooLarge DetailCode = "too_large"
	// NotSupported is a header that the operation does not take.
	DetailNotSupported DetailCode = "not_supported"
	// DetailManaged is a field that a manifest sets.
	DetailManaged DetailCode = "managed_by_manifest"
)

// detailCodes are the codes of the messages of this API's own checks, by how they begin. The messages of the framework have theirs beside
// them (see validatorWords).
var detailCodes = []struct {
	message string
	code    DetailCode
}{
	{"is required", DetailRequired},
	{"is not a known", DetailUnknownField},
	{"must not come twice", DetailDuplicate},
	{"must not be empty", DetailEmpty},
	{"is not supported", DetailNotSupported},
	{"must be encoded", DetailMalformed},
	{"must be valid JSON", DetailMalformed},
	{"must be UTF-8", DetailMalformed},
	{"must be at most", DetailTooLong},
	{"must be at least", DetailTooShort},
	{"must not be below", DetailTooSmall},
	{"must not be above", DetailTooLarge},
	{"must be an integer", DetailWrongType},
	{"must be printable", DetailMalformed},
	{"must be one of ", DetailNotOneOf},
	{"must have at most ", DetailTooLong},
	{mustBeTime, DetailMalformed},
}

func codeOf(message string) DetailCode {
	for _, c := range detailCodes {
		if strings.HasPrefix(message, c.message) {
			return c.code
		}
	}
	return DetailInvalid
}
