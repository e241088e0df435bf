package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"go.yaml.in/yaml/v3"
)

// readRules reads the alerts of a PrometheusRule, as strictly as Prometheus does.
func readRules(file string) ([]rulefmt.Rule, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	var object struct {
		Kind string    `yaml:"kind"`
		Spec yaml.Node `yaml:"spec"`
	}
	if err := yaml.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("parsing %s: %w", file, err)
	}
	if object.Kind != "PrometheusRule" {
		return nil, fmt.Errorf("%s must be a PrometheusRule, and is a %q", file, object.Kind)
	}
	if text, err = yaml.Marshal(&object.Spec); err != nil {
		return nil, fmt.Errorf("writing the rules: %w", err)
	}
	groups, problems := rulefmt.Parse(text, false, model.UTF8Validation, promQL, slog.New(slog.DiscardHandler))
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var rules []rulefmt.Rule
	for _, group := range groups.Groups {
		rules = append(rules, group.Rules...)
	}
	if len(rules) == 0 {
		return nil, fmt.Errorf("%s has no rules", file)
	}
	return rules, nil
}

// checkRules looks whether the series that each alert needs are there, and runs its query.
func checkRules(ctx context.Context, s *store, file string, at time.Time) error {
	rules, err := readRules(file)
	if err != nil {
		return err
	}
	engine := newEngine()
	var problems []error
	for _, rule := range rules {
		err := checkSelectors(s, rule.Expr)
		if err == nil {
			_, err = run(ctx, engine, s, rule.Expr, at)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("alert %s: %w", rule.Alert, err))
		}
	}
	return errors.Join(problems...)
}
