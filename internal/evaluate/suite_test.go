package evaluate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/evaluate"
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

func TestACancelledEvaluationEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := evaluate.Run(ctx, evaluate.BuiltInSuite(), "m", generator(t, "perfect"), evaluate.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
