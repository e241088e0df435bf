package bounds_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

func TestBounded(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"plain", 5, "plain"},
		{"plain", 4, "plai"},
		{"", 0, ""},
		{"größer", 4, "grö"},
		{"größer", 3, "gr"},
		{`""""`, 6, `"""`},
		{`a"b`, 3, `a"`},
		{"<b>", 12, "<b"},
		{"<b>", 13, "<b>"},
		{"a\x00", 6, "a"},
		{"😀😀", 7, "😀"},
	} {
		if got := bounds.Cut(tt.text, tt.limit); got != tt.want {
			t.Errorf("Bounded(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}
