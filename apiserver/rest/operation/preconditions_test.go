package operation_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

type voice struct {
	Tone  *string   `json:"tone,omitempty"`
	Words *[]string `json:"words,omitempty"`
}

type readSettings struct {
	Name  *string `json:"name,omitempty"`
	Score *int    `json:"score,omitempty"`
	Voice *voice  `json:"voice,omitempty"`
}

func TestAChangeIsRefusedIfWhatWasSeenHasChanged(t *testing.T) {
	now := map[string]any{"name": "Blog", "score": 70, "voice": map[string]any{"tone": "calm\n", "words": []string{" a", "b"}}, "uid": "x"}
	changed := func(fields ...string) []string { return fields }
	for _, tt := range []struct {
		name   string
		seen   operation.Seen[readSettings]
		want   error
		fields []string
	}{
		{name: "nothing was seen"},
		{name: "the version", seen: operation.Seen[readSettings]{IfMatch: operation.IfMatch{IfMatch: `"2.x"`}}},
		{
			name: "another version", want: problem.PreconditionFailed(),
			seen: operation.Seen[readSettings]{IfMatch: operation.IfMatch{IfMatch: `"1.x"`}, Expected: &readSettings{Name: new("Other")}},
		},
		{name: "no member", seen: operation.Seen[readSettings]{Expected: &readSettings{Voice: &voice{}}}},
		{name: "some members", seen: operation.Seen[readSettings]{Expected: &readSettings{Name: new("Blog"), Score: new(70)}}},
		{
			name: "texts without the blanks around them, which no body of a request has",
			seen: operation.Seen[readSettings]{Expected: &readSettings{Voice: &voice{Tone: new("calm"), Words: &[]string{"a", "b"}}}},
		},
		{
			name: "other members", fields: changed("name", "voice.words"),
			seen: operation.Seen[readSettings]{Expected: &readSettings{
				Name: new("Other"), Score: new(70), Voice: &voice{Tone: new("calm"), Words: &[]string{"a"}},
			}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.seen.Check("site", "2", func() (any, error) { return now, nil })
			refused, _ := errors.AsType[*problem.APIError](err)
			var fields []string
			if refused != nil {
				for _, d := range refused.Problem.Details {
					fields = append(fields, d.Field)
				}
			}
			switch {
			case !reflect.DeepEqual(fields, tt.fields):
				t.Errorf("got %v, want %v: %v", fields, tt.fields, err)
			case tt.fields == nil && (err == nil) != (tt.want == nil), tt.want != nil && err.Error() != tt.want.Error():
				t.Errorf("got %v, want %v", err, tt.want)
			case tt.fields != nil && refused.Problem.Reason != problem.ReasonSettingsChanged:
				t.Errorf("the reason is %q", refused.Problem.Reason)
			}
		})
	}
}

func TestIfMatchComparesWhatPeopleHaveWritten(t *testing.T) {
	read, err := operation.Tag("4-1", map[string]string{"status": "generating"})
	if err != nil {
		t.Fatal(err)
	}
	later, _ := operation.Tag("4-1", map[string]string{"status": "review"})
	edited, _ := operation.Tag("5-1", map[string]string{"status": "review"})
	if read == later {
		t.Error("two answers have the same tag")
	}
	changed, unusable := problem.PreconditionFailed().Error(), problem.UnusableTag().Error()
	for header, want := range map[string]string{
		"": "", "*": "", read: "", later: "", `"x", ` + read: "", edited: changed, `"4-10.x"`: changed, `""`: changed,
		"W/" + read: unusable, read[1 : len(read)-1]: unusable, `W/"x", ` + later: "",
	} {
		got := ""
		if err := (operation.IfMatch{IfMatch: header}).Check("4-1"); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
}
