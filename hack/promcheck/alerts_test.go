package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
	"go.yaml.in/yaml/v3"
)

const rulesFile = "../../config/prometheus/rules.yaml"

// A suite is in the format of `promtool test rules`.
type suite struct {
	EvaluationInterval model.Duration `yaml:"evaluation_interval"`
	Tests              []scenario     `yaml:"tests"`
}

type scenario struct {
	Name        string         `yaml:"name"`
	Interval    model.Duration `yaml:"interval"`
	InputSeries []struct {
		Series string `yaml:"series"`
		Values string `yaml:"values"`
	} `yaml:"input_series"`
	AlertRuleTest []struct {
		EvalTime  model.Duration `yaml:"eval_time"`
		AlertName string         `yaml:"alertname"`
		ExpAlerts []alert        `yaml:"exp_alerts"`
	} `yaml:"alert_rule_test"`
}

type alert struct {
	Labels      map[string]string `yaml:"exp_labels"`
	Annotations map[string]string `yaml:"exp_annotations"`
}

func TestEachAlertBeginsForItsCauseAndEndsWithIt(t *testing.T) {
	rules, err := readRules(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("testdata/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var tests suite
	strict := yaml.NewDecoder(file)
	strict.KnownFields(true)
	if err := strict.Decode(&tests); err != nil {
		t.Fatal(err)
	}
	begun := map[string]bool{}
	for _, tt := range tests.Tests {
		t.Run(tt.Name, func(t *testing.T) {
			s := newStore()
			for _, one := range tt.InputSeries {
				fill(t, s, one.Series, one.Values, time.Duration(tt.Interval))
			}
			for _, c := range tt.AlertRuleTest {
				i := slices.IndexFunc(rules, func(r rulefmt.Rule) bool { return r.Alert == c.AlertName })
				if i < 0 {
					t.Fatalf("there is no alert %s", c.AlertName)
				}
				got := firing(t, s, rules[i], time.Duration(c.EvalTime), time.Duration(tests.EvaluationInterval))
				if !slices.EqualFunc(got, c.ExpAlerts, sameAlert) {
					t.Errorf("%s at %s: %v, want %v", c.AlertName, c.EvalTime, got, c.ExpAlerts)
				}
				begun[c.AlertName] = begun[c.AlertName] || len(c.ExpAlerts) > 0
			}
		})
	}
	for _, rule := range rules {
		if !begun[rule.Alert] {
			t.Errorf("there is no test in which %s begins", rule.Alert)
		}
	}
}

// fill adds a series in the notation of promtool, such as 0+1x60.
func fill(t *testing.T, s *store, of, values string, interval time.Duration) {
	t.Helper()
	name, sequence, err := promQL.ParseSeriesDesc(of + " " + values)
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range sequence {
		if !value.Omitted {
			s.add(name, (time.Duration(i) * interval).Milliseconds(), value.Value)
		}
	}
}

// firing evaluates a rule as Prometheus does, and returns what fires in the end: what has been there since `for` ago.
func firing(t *testing.T, s *store, rule rulefmt.Rule, end, step time.Duration) []alert {
	t.Helper()
	engine, since := newEngine(), map[string]time.Duration{}
	var fire []alert
	for at := time.Duration(0); at <= end; at += step {
		found, err := run(t.Context(), engine, s, rule.Expr, time.UnixMilli(at.Milliseconds()).UTC())
		if err != nil {
			t.Fatal(err)
		}
		fire = nil
		still := map[string]bool{}
		for _, one := range found {
			key := one.Metric.String()
			still[key] = true
			if _, before := since[key]; !before {
				since[key] = at
			}
			if at-since[key] >= time.Duration(rule.For) {
				fire = append(fire, expand(t, rule, one))
			}
		}
		maps.DeleteFunc(since, func(key string, _ time.Duration) bool { return !still[key] })
	}
	slices.SortFunc(fire, func(a, b alert) int { return strings.Compare(a.Annotations["summary"], b.Annotations["summary"]) })
	return fire
}

// expand fills in the labels and annotations of an alert.
func expand(t *testing.T, rule rulefmt.Rule, found promql.Sample) alert {
	t.Helper()
	a := alert{Labels: found.Metric.Map(), Annotations: map[string]string{}}
	delete(a.Labels, labels.MetricName)
	data := template.AlertTemplateData(maps.Clone(a.Labels), nil, "", found)
	fillIn := func(text string) string {
		text = "{{$labels := .Labels}}{{$value := .Value}}" + text
		out, err := template.NewTemplateExpander(t.Context(), text, rule.Alert, data, model.Time(found.T), nil, nil, nil).Expand()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for name, text := range rule.Annotations {
		a.Annotations[name] = fillIn(text)
	}
	for name, text := range rule.Labels {
		a.Labels[name] = fillIn(text)
	}
	return a
}

func sameAlert(a, b alert) bool {
	return maps.Equal(a.Labels, b.Labels) && maps.Equal(a.Annotations, b.Annotations)
}

// A runbook is a row in the table of alerts.
func TestEachAlertHasARunbook(t *testing.T) {
	docs, err := os.ReadFile(filepath.FromSlash("../../docs/operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := readRules(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules {
		_, row, found := strings.Cut(string(docs), "\n| `"+rule.Alert+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		if cells := strings.Split(row, " | "); !found || len(cells) != 2 || strings.Trim(cells[1], " |") == "" {
			t.Errorf("docs/operating.md does not say when %s begins and what to do about it", rule.Alert)
		}
	}
}
