package patch_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

type update struct {
	Name  patch.Member[string]   `json:"name,omitzero" minLength:"1" maxLength:"5"`
	Words patch.Member[[]string] `json:"words,omitzero" maxItems:"2" maxLength:"3"`
	Score patch.Member[int32]    `json:"score,omitzero" maximum:"100"`
	Mode  patch.Member[string]   `json:"mode,omitzero" enum:"one,two"`
	Plain *string                `json:"plain,omitempty"`
}

type stored struct {
	Name, Mode string
	Words      []string
	Score      int32
}

// read reads a body as the REST API does, and returns what it changes, and what is wrong with it.
func read(t *testing.T, body string) (stored, []string) {
	t.Helper()
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schema := registry.Schema(reflect.TypeFor[update](), true, "update")
	value, refused := jsonbody.Read(registry, schema, []byte(body))
	if refused != nil {
		t.Fatal(refused)
	}
	var result huma.ValidateResult
	huma.Validate(registry, schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, &result)
	out := stored{"old", "one", []string{"a"}, 7}
	if len(result.Errors) > 0 {
		var found []string
		for _, err := range result.Errors {
			found = append(found, err.Error())
		}
		return out, found
	}
	prepared, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var u update
	if err := json.Unmarshal(prepared, &u); err != nil {
		t.Fatal(err)
	}
	u.Name.Change(&out.Name)
	u.Words.Change(&out.Words)
	u.Score.Change(&out.Score)
	u.Mode.Change(&out.Mode)
	return out, nil
}

func TestAMemberIsAbsentNullOrAValue(t *testing.T) {
	for body, want := range map[string]stored{
		`{}`:                           {"old", "one", []string{"a"}, 7},
		`{"plain":null}`:               {"old", "one", []string{"a"}, 7},
		`{"name":"new","score":0}`:     {"new", "one", []string{"a"}, 0},
		`{"name": null ,"words":null}`: {"", "one", nil, 7},
		`{"score":null,"mode":null}`:   {"old", "", []string{"a"}, 0},
		`{"words":[],"mode":"two"}`:    {"old", "two", []string{}, 7},
	} {
		if got, faults := read(t, body); !reflect.DeepEqual(got, want) || faults != nil {
			t.Errorf("%s: got %+v, want %+v; %v", body, got, want, faults)
		}
	}
}

func TestAValueMustBeThatOfItsSchema(t *testing.T) {
	for body, want := range map[string]string{
		`{"name":""}`: "length >= 1", `{"name":"too long"}`: "length <= 5", `{"words":["four"]}`: "length <= 3", `{"words":["a","b","c"]}`: "length <= 2",
		`{"score":101}`: "<= 100", `{"mode":"three"}`: "one of", `{"name":1}`: "string", `{"words":[null]}`: "string",
	} {
		if _, faults := read(t, body); len(faults) != 1 || !strings.Contains(faults[0], want) {
			t.Errorf("%s: %v, want %q", body, faults, want)
		}
	}
}

func TestAnAbsentMemberIsNotWritten(t *testing.T) {
	got, err := json.Marshal(update{Name: patch.Of(""), Score: patch.Of[int32](3)})
	if want := `{"name":"","score":3}`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s; %v", got, want, err)
	}
}

func TestAMemberIsWrittenAsItWasRead(t *testing.T) {
	for _, want := range []string{`{}`, `{"name":null,"words":null,"score":null}`, `{"name":"x","words":[],"score":0}`} {
		var u update
		if err := json.Unmarshal([]byte(want), &u); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(u); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if got, err := json.Marshal(update{Name: patch.Null[string](), Mode: patch.Of("")}); err != nil || string(got) != `{"name":null,"mode":""}` {
		t.Errorf("got %s, %v, want null and an empty text", got, err)
	}
}
