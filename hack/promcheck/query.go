package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

var promQL = parser.NewParser(parser.Options{})

// newEngine has the settings that Prometheus has without flags.
func newEngine() *promql.Engine {
	const (
		maxSamples = 50_000_000
		timeout    = 2 * time.Minute
		lookback   = 5 * time.Minute
	)
	return promql.NewEngine(promql.EngineOpts{
		MaxSamples: maxSamples, Timeout: timeout, LookbackDelta: lookback, EnableAtModifier: true, EnableNegativeOffset: true, Parser: promQL,
	})
}

// run runs a query. What the engine warns of, such as the rate of a gauge, is an error.
func run(ctx context.Context, engine *promql.Engine, s *store, query string, at time.Time) (promql.Vector, error) {
	q, err := engine.NewInstantQuery(ctx, s, nil, query, at)
	if err != nil {
		return nil, fmt.Errorf("parsing: %w", err)
	}
	defer q.Close()
	result := q.Exec(ctx)
	if err := errors.Join(result.Err, errors.Join(result.Warnings.AsErrors()...)); err != nil {
		return nil, fmt.Errorf("evaluating: %w", err)
	}
	vector, err := result.Vector()
	if err != nil {
		return nil, fmt.Errorf("evaluating: %w", err)
	}
	// The engine uses the result again.
	return append(promql.Vector(nil), vector...), nil
}

// checkSelectors looks whether the series that a query names are there. The values of labels other than the job need not be: nothing
// may have failed yet.
func checkSelectors(s *store, query string) error {
	expression, err := promQL.ParseExpr(query)
	if err != nil {
		return fmt.Errorf("parsing: %w", err)
	}
	var problems []error
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		selector, ok := node.(*parser.VectorSelector)
		if ok && !s.has(selector.LabelMatchers) {
			problems = append(problems, fmt.Errorf("nothing exports %s", selector))
		}
		return nil
	})
	return errors.Join(problems...)
}

func (s *store) has(matchers []*labels.Matcher) bool {
	for _, one := range s.series {
		found := true
		for _, m := range matchers {
			exact := m.Name == labels.MetricName || m.Name == "job"
			found = found && one.labels.Has(m.Name) && (!exact || m.Matches(one.labels.Get(m.Name)))
		}
		if found {
			return true
		}
	}
	return false
}
