package table

import (
	"bytes"
	"testing"
)

func TestATableIsAlignedAndCannotCommandATerminal(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, []string{"Name", "Count"}, [][]any{{"acme", 7}, {"a-longer-name\x1b[2J", 12}}); err != nil {
		t.Fatal(err)
	}
	const want = "NAME                 COUNT\nacme                 7\na-longer-name^[[2J   12\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}
