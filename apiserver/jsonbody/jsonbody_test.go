package jsonbody_test

import (
	"encoding/json"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
)

// Both are decoded from each body: a generic value is validated, and a struct is passed to the operation.
func TestNullsAndBlanksAreDroppedAlikeInBothForms(t *testing.T) {
	const body = `{"title":"  Shoes ","slug":null,"content_markdown":"  code\n","tags":[" a ",null],"more":{"x":null,"content_markdown":" y "}}`
	const want = `{"content_markdown":"  code\n","more":{"content_markdown":" y "},"tags":["a",null],"title":"Shoes"}`
	var generic any
	var typed map[string]any
	for name, target := range map[string]any{"generic": &generic, "typed": &typed} {
		if err := jsonbody.Format().Unmarshal([]byte(body), target); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(target)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
}

func TestABodyMustBeUTF8(t *testing.T) {
	var v any
	if err := jsonbody.Format().Unmarshal([]byte("{\"title\":\"\xff\"}"), &v); err == nil {
		t.Errorf("got %v, want an error", v)
	}
}
