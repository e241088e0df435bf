package pages_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

func TestADisplayNameDisguisesNothing(t *testing.T) {
	for name, want := range map[string]string{
		"Acme newsletter":          "Acme newsletter",
		" Acme\n\tnews ":           "Acme news",
		"Acme \u202Eexe.fdp":       "Acme exe.fdp",
		"\u2067Acme\u2069":         "Acme",
		"Ac\u200Bme":               "Acme",
		"Ac\u3164me":               "Acme",
		"":                         "nobody",
		"\u200B\u00AD":             "nobody",
		"\u3164\u115F":             "nobody",
		"\u2800":                   "nobody",
		"\u0301":                   "nobody",
		"\U000E0041\U000E0042":     "nobody",
		"\u202E\u2066\u2069\ufe0f": "nobody",
	} {
		if got := pages.DisplayName(name, "nobody"); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}
