package evaluate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/evaluate"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

func TestSuitesAreChecked(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "cases: []", "no name": "cases: [{keyword: shoes}]", "no keyword": "cases: [{name: a}]",
		"two names": "cases: [{name: a, keyword: shoes}, {name: a, keyword: boots}]", "a length": "cases: [{name: a, keyword: shoes, length: Tall}]",
		"an unknown field": "cases: [{name: a, keyword: shoes, key: x}]", "no YAML": "\t",
	} {
		if _, err := evaluate.ReadSuite([]byte(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCostsAreCountedInMillionths(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "0.15": 150_000, "15": 15_000_000, "0.0000001": 0} {
		if got, err := evaluate.ParsePrice(text); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"-1", "x", "1e9"} {
		if _, err := evaluate.ParsePrice(text); err == nil {
			t.Errorf("%q is a price", text)
		}
	}
	p := evaluate.Prices{Input: 2_000_000, Cached: 1_000_000, Output: 10_000_000}
	if got := p.Cost(generate.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 100}); got != 600*2+400+1000 {
		t.Errorf("the cost is %d", got)
	}
}

func TestACancelledEvaluationEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := evaluate.Run(ctx, builtIn(t), "m", generator(t, "perfect"), evaluate.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
