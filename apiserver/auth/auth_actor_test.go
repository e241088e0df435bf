package auth_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

func TestAnActorIsNamedByWhatCannotChange(t *testing.T) {
	const id = "aa3kq2vxw5ntb6ha"
	for name, tt := range map[string]struct {
		principal auth.Principal
		want      string
	}{
		"a key":                       {auth.Principal{ID: id, Name: "Mara (api-key:" + id + ")"}, "api-key:" + id},
		"a person with a key":         {auth.Principal{ID: "api-key:" + id, Name: "Mara (api-key:" + id + ")"}, "api-key:" + id},
		"a member":                    {auth.Principal{ID: "mara@acme.example", Name: "mara@acme.example"}, "mara@acme.example"},
		"an app that a key let in":    {auth.Principal{ID: "g1", Client: "tool", Name: "api-key:" + id + " (app tool)"}, "api-key:" + id + " (app tool)"},
		"an app that a member let in": {auth.Principal{ID: "g1", Client: "tool", Name: "mara@acme.example (app tool)"}, "mara@acme.example (app tool)"},
	} {
		if got := tt.principal.Actor(); got != tt.want {
			t.Errorf("%s is %q, want %q", name, got, tt.want)
		}
	}
}
