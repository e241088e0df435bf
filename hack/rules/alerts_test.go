package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Each alert has a test in which it begins, and a runbook: a row in the table of alerts.
func TestEachAlertHasATestAndARunbook(t *testing.T) {
	var object struct {
		Spec struct {
			Groups []struct {
				Rules []struct {
					Alert  string
					Labels struct{ Severity string }
				}
			}
		}
	}
	var suite struct {
		Tests []struct {
			AlertRuleTest []struct {
				AlertName string
				ExpAlerts []any `json:"exp_alerts"`
			} `json:"alert_rule_test"`
		}
	}
	unmarshal(t, "config/prometheus/rules.yaml", &object)
	unmarshal(t, "config/prometheus/tests.yaml", &suite)
	docs, err := os.ReadFile(filepath.Join(root, "docs", "how-to", "monitor.md"))
	if err != nil {
		t.Fatal(err)
	}
	begun := map[string]bool{}
	for _, tt := range suite.Tests {
		for _, c := range tt.AlertRuleTest {
			begun[c.AlertName] = begun[c.AlertName] || len(c.ExpAlerts) > 0
		}
	}
	if len(object.Spec.Groups) == 0 {
		t.Fatal("there are no alerts")
	}
	for _, group := range object.Spec.Groups {
		for _, rule := range group.Rules {
			if !begun[rule.Alert] {
				t.Errorf("there is no test in which %s begins", rule.Alert)
			}
			_, row, found := strings.Cut(string(docs), "\n| `"+rule.Alert+"` | ")
			row, _, _ = strings.Cut(row, "\n")
			if cells := strings.Split(row, " | "); !found || len(cells) != 3 || cells[0] != rule.Labels.Severity || strings.Trim(cells[2], " |") == "" {
				t.Errorf("docs/how-to/monitor.md does not say how severe %s is, when it begins and what to do about it", rule.Alert)
			}
		}
	}
}

func unmarshal(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
