package main

import "testing"

func TestCellsAreOneLineWithoutTheMarkOfATable(t *testing.T) {
	d := newDocument("Things", "the source", "All of them.")
	d.table("name", "meaning")
	d.row("`a|b`", "one\n  thing")
	const want = "# Things\n\n<!-- Generated from the source by `make generate`. -->\n\nAll of them.\n" +
		"\n| name | meaning |\n|---|---|\n| `a\\|b` | one thing |\n"
	if got := d.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUpperBeginsWithACapital(t *testing.T) {
	for text, want := range map[string]string{"": "", "of it": "Of it", "Of it": "Of it", "überall": "Überall", "1 of it": "1 of it"} {
		if got := upper(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
