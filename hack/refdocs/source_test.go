package main

import (
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// call parses a call.
func call(t *testing.T, text string) *ast.CallExpr {
	t.Helper()
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*ast.CallExpr)
}

func TestAMetricIsReadFromTheCallThatMakesIt(t *testing.T) {
	for name, tt := range map[string]struct {
		call string
		want []string
	}{
		"a vector": {
			`prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pressroom_x_total", Help: "Counts " + "x."}, []string{"outcome", "kind"})`,
			[]string{"`pressroom_x_total`", "`outcome`, `kind`", "Counts x."},
		},
		"a number":      {`prometheus.NewGauge(prometheus.GaugeOpts{Name: "pressroom_y", Help: "Is y."})`, []string{"`pressroom_y`", "", "Is y."}},
		"a description": {`prometheus.NewDesc("pressroom_z", "Is z.", []string{"account"}, nil)`, []string{"`pressroom_z`", "`account`", "Is z."}},
		"a number with constant labels": {
			`prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pressroom_v", Help: "Is v.", ConstLabels: prometheus.Labels{"kind": kind, "state": "new"}}, f)`,
			[]string{"`pressroom_v`", "`kind`, `state`", "Is v."},
		},
		"another's": {`prometheus.NewGauge(prometheus.GaugeOpts{Name: "go_threads", Help: "Threads."})`, nil},
		"no metric": {`f(1)`, nil},
		"nothing":   {`f()`, nil},
	} {
		if got := metric(call(t, tt.call)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestConstantsAreFoundWithTheirComments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	const source = "package a\n\n// Some reasons.\nconst (\n\t// ReasonB means b.\n\tReasonB = \"B\"\n\tReasonA = \"A\" // a comment\n\tOther = \"C\"\n\tReasonNumber = 1\n)\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := constants(file, func(name string) bool { return strings.HasPrefix(name, "Reason") })
	want := []constant{{"ReasonA", "A", "a comment\n", "Some reasons."}, {"ReasonB", "B", "ReasonB means b.\n", "Some reasons."}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := constants(file, func(string) bool { return false }); err == nil {
		t.Error("a file that has none is no error")
	}
}

func TestNamesOfHeadingsBecomeLinks(t *testing.T) {
	for text, want := range map[string]string{
		"Wait.": "Wait.",
		"Wait. If it stays, see docs/how-to/operate.md, Slots.":           "Wait. If it stays, see [Slots](../how-to/operate.md#slots).",
		"See docs/how-to/operate.md, When etcd fills, and docs/README.md": "See [When etcd fills](../how-to/operate.md#when-etcd-fills), and docs/README.md",
	} {
		if got := linked(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestAReasonNamesItsConditions(t *testing.T) {
	const group = "Reasons of ConditionPublished and ConditionConnected, in addition to those of ConditionReady. ReasonX is one."
	for _, row := range []struct{ meaning, want, wantConditions string }{
		{"it is so.", "it is so.", "`Published`, `Connected`"},
		{"it is so. Also of ConditionReady. It goes on.", "it is so. It goes on.", "`Published`, `Connected`; also `Ready`"},
		{"it is so. Only of ConditionReady and ConditionStalled.", "it is so.", "`Ready` and `Stalled`"},
		{"it is so. Also of ConditionReady, if it fails, and of ConditionStalled.", "it is so.",
			"`Published`, `Connected`; also `Ready`, if it fails, and of `Stalled`"},
		{"it is so. Of an Article: nothing.", "it is so. Of an Article: nothing.", "`Published`, `Connected`"},
	} {
		if got, in := conditionsOf(row.meaning, group); got != row.want || in != row.wantConditions {
			t.Errorf("%s: got %q with %q, want %q with %q", row.meaning, got, in, row.want, row.wantConditions)
		}
	}
}
