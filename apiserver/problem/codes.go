package problem

import "github.com/danielgtaylor/huma/v2"

// Codes are all codes, as the OpenAPI document lists them. A later version may add some.
var Codes = []Code{
	CodeValidation, CodeUnauthorized, CodeInsufficientCredits, CodeInsufficientScope, CodeForbidden, CodeNotFound,
	CodeMethodNotAllowed, CodeConflict, CodeLimitReached, CodePreconditionFailed, CodePayloadTooLarge, CodeRateLimited,
	CodeInternal, CodeUnavailable,
}

// Schema describes a Code: the framework calls it.
func (Code) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeString, Description: "What went wrong, for programs. Later versions may add codes.", Examples: []any{CodeValidation},
	}
	for _, code := range Codes {
		s.Enum = append(s.Enum, string(code))
	}
	return s
}
