package problem

import (
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2/validation"
)

// codedBy stands between the code and the words of a message that the framework's validation gives. The framework makes whole texts of
// its messages when it makes a schema, so the code of a message travels in it.
const codedBy = "\x1f"

// mustBeTime is the message about a text that is no time.
const mustBeTime = "must be a date and time of RFC 3339, such as 2026-11-20T09:00:00Z"

// mustBeDescribed is the message of last resort: no message of the framework, of Go or of a library reaches a client.
const mustBeDescribed = "must be as the OpenAPI document describes it"

// validatorWords has every message of the framework's validation of a value by its schema. A verb %.0s drops what a parser of Go says.
var validatorWords = []struct {
	message *string
	code    DetailCode
	words   string
}{
	{&validation.MsgUnexpectedProperty, DetailUnknownField, "is not a known field"},
	{&validation.MsgExpectedRFC3339DateTime, DetailMalformed, mustBeTime},
	{&validation.MsgExpectedRFC1123DateTime, DetailMalformed, "must be a date and time of HTTP, such as Fri, 20 Nov 2026 09:00:00 GMT"},
	{&validation.MsgExpectedRFC3339Date, DetailMalformed, "must be a date, such as 2026-11-20"},
	{&validation.MsgExpectedRFC3339Time, DetailMalformed, "must be a time of day, such as 09:00:00Z"},
	{&validation.MsgExpectedRFC5322Email, DetailMalformed, "must be an e-mail address%.0s"},
	{&validation.MsgExpectedRFC5890Hostname, DetailMalformed, "must be a host name"},
	{&validation.MsgExpectedRFC2673IPv4, DetailMalformed, "must be an IPv4 address"},
	{&validation.MsgExpectedRFC2373IPv6, DetailMalformed, "must be an IPv6 address"},
	{&validation.MsgExpectedRFCIPAddr, DetailMalformed, "must be an IP address"},
	{&validation.MsgExpectedRFC3986URI, DetailMalformed, "must be a URI%.0s"},
	{&validation.MsgExpectedRFC4122UUID, DetailMalformed, "must be a UUID%.0s"},
	{&validation.MsgExpectedRFC6570URITemplate, DetailMalformed, "must be a URI template"},
	{&validation.MsgExpectedRFC6901JSONPointer, DetailMalformed, "must be a JSON pointer"},
	{&validation.MsgExpectedRFC6901RelativeJSONPointer, DetailMalformed, "must be a relative JSON pointer"},
	{&validation.MsgExpectedRegexp, DetailMalformed, "must be a regular expression%.0s"},
	{&validation.MsgExpectedMatchAtLeastOneSchema, DetailInvalid, "must be one of the forms that it can have"},
	{&validation.MsgExpectedMatchExactlyOneSchema, DetailInvalid, "must be one of the forms that it can have"},
	{&validation.MsgExpectedNotMatchSchema, DetailInvalid, "may not have this form"},
	{&validation.MsgExpectedPropertyNameInObject, DetailRequired, "must have the field that says which form it has"},
	{&validation.MsgExpectedBoolean, DetailWrongType, "must be true or false"},
	{&validation.MsgExpectedDuration, DetailMalformed, "must be a duration, such as 1h30m%.0s"},
	{&validation.MsgExpectedNumber, DetailWrongType, "must be a number"},
	{&validation.MsgExpectedInteger, DetailWrongType, "must be an integer"},
	{&validation.MsgExpectedString, DetailWrongType, "must be a string"},
	{&validation.MsgExpectedBase64String, DetailMalformed, "must be base64"},
	{&validation.MsgExpectedArray, DetailWrongType, "must be an array"},
	{&validation.MsgExpectedObject, DetailWrongType, "must be an object"},
	{&validation.MsgExpectedArrayItemsUnique, DetailDuplicate, "must have each entry once"},
	{&validation.MsgExpectedOneOf, DetailNotOneOf, "must be one of %s"},
	{&validation.MsgExpectedMinimumNumber, DetailTooSmall, "must not be below %v"},
	{&validation.MsgExpectedExclusiveMinimumNumber, DetailTooSmall, "must be above %v"},
	{&validation.MsgExpectedMaximumNumber, DetailTooLarge, "must not be above %v"},
	{&validation.MsgExpectedExclusiveMaximumNumber, DetailTooLarge, "must be below %v"},
	{&validation.MsgExpectedNumberBeMultipleOf, DetailInvalid, "must be a multiple of %v"},
	{&validation.MsgExpectedMinLength, DetailTooShort, "must be at least %d characters long"},
	{&validation.MsgExpectedMaxLength, DetailTooLong, "must be at most %d characters long"},
	{&validation.MsgExpectedBePattern, DetailMalformed, "must be %s"},
	{&validation.MsgExpectedMatchPattern, DetailMalformed, "must match the pattern %s"},
	{&validation.MsgExpectedMinItems, DetailTooShort, "must be at least %d entries"},
	{&validation.MsgExpectedMaxItems, DetailTooLong, "must be at most %d entries"},
	{&validation.MsgExpectedMinProperties, DetailTooShort, "must have at least %d fields"},
	{&validation.MsgExpectedMaxProperties, DetailTooLong, "must have at most %d fields"},
	// This one names the field that is missing, and is reported at the object that lacks it: see detail.
	{&validation.MsgExpectedRequiredProperty, DetailRequired, requiredProperty + "%s"},
	{&validation.MsgExpectedDependentRequiredProperty, DetailRequired, "must have the field %s too, beside %s"},
}

// requiredProperty begins the message about a missing member.
const requiredProperty = "is required: "

// otherWords has the messages of the framework that are no variables, by how they begin: about parameters, and about what validation lets
// pass and the types of an input cannot hold.
var otherWords = []struct {
	begins string
	code   DetailCode
	words  string
}{
	{"unknown query parameter", DetailUnknownField, "is not a known parameter"},
	{"required ", DetailRequired, "is required"},
	{"request body is required", DetailRequired, mustBeObject},
	{"invalid integer", DetailWrongType, "must be an integer"},
	{"invalid float", DetailWrongType, "must be a number"},
	{"invalid boolean", DetailWrongType, "must be true or false"},
	{"invalid date/time", DetailMalformed, mustBeTime},
	{"invalid url.URL", DetailMalformed, "must be a URL"},
	{"expected at most one value", DetailDuplicate, "must not come twice"},
	{"expected value to match exactly one schema", DetailInvalid, "must be one of the forms that it can have"},
}

// mustBeObject is the message about a body that is missing.
const mustBeObject = "must be a JSON object"

// houseForm is how every message about a field begins.
var houseForm = regexp.MustCompile(`^(must|may not|is required|is not a known|is not supported)\b`)

// inHouseWords returns a message of the framework, or of a check of this API, in the words of this API. The code is empty if the words
// say it (see codeOf).
func inHouseWords(message string) (DetailCode, string) {
	if code, words, coded := strings.Cut(message, codedBy); coded {
		return DetailCode(code), words
	}
	for _, other := range otherWords {
		if strings.HasPrefix(message, other.begins) {
			return other.code, other.words
		}
	}
	if !houseForm.MatchString(message) {
		return DetailInvalid, mustBeDescribed
	}
	return "", message
}

// useHouseWords gives the framework's validation the words of this API.
func useHouseWords() {
	for _, w := range validatorWords {
		*w.message = string(w.code) + codedBy + w.words
	}
}
