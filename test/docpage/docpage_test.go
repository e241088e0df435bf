package docpage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommandsOfABlock(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []Command
	}{
		"one on each line":    {"a 1   # first\nb\n", []Command{{Line: 11, Text: "a 1   # first"}, {Line: 12, Text: "b"}}},
		"several on one line": {"a; b && c\n", []Command{{Line: 11, Text: "a; b && c"}}},
		"continued, quoted and with input": {
			"a \\\n  1\nb '{\n}'\nc <<'EOF'\n# d\n\nEOF\ne\n",
			[]Command{{Line: 11, Text: "a \\\n  1"}, {Line: 13, Text: "b '{\n}'"}, {Line: 15, Text: "c <<'EOF'\n# d\n\nEOF"}, {Line: 19, Text: "e"}},
		},
		"with comments above":        {"# What a does.\na\n\n# What b does.\nb\n", []Command{{Line: 12, Text: "a"}, {Line: 15, Text: "b"}}},
		"with what is printed below": {"a\n# {\"b\":\n#   1}\nc\n", []Command{{Line: 11, Text: "a", Output: "{\"b\":\n1}\n"}, {Line: 14, Text: "c"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := fromScript(Block{Line: 10, Text: tt.text})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want, +got:\n%s", diff)
			}
		})
	}
}

func TestCommandsOfASession(t *testing.T) {
	got, err := fromConsole(Block{Section: "S", Line: 10, Text: "$ a\n$ b \\\n    1\nNAME   AGE\n\nx      1s\n$ c\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Command{
		{Section: "S", Line: 11, Text: "a"}, {Section: "S", Line: 12, Text: "b \\\n    1", Output: "NAME   AGE\n\nx      1s\n"},
		{Section: "S", Line: 17, Text: "c"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
	if _, err := fromConsole(Block{Text: "a\n$ b\n"}); err == nil {
		t.Error("a session that begins with output is accepted")
	}
}
