package jsonbody

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// checkMembers returns an error that names a member that comes twice in its object (RFC 8259, section 4): encoding/json would
// silently take the last one. Other errors of the syntax are left to encoding/json.
func checkMembers(data []byte) error {
	_, err := jsontext.NewDecoder(bytes.NewReader(data)).ReadValue()
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok || !errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
		return nil
	}
	return problem.Twice(fieldAt(syntax.JSONPointer))
}

// fieldAt returns a JSON pointer in the form of the other errors: faq[0].answer.
func fieldAt(pointer jsontext.Pointer) string {
	field := ""
	for token := range pointer.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil:
			field += "[" + token + "]"
		case field == "":
			field = token
		default:
			field += "." + token
		}
	}
	return field
}
