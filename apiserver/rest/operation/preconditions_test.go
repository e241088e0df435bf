package operation_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

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
