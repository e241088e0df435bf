package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const metrics = `# TYPE pressroom_deliveries_total counter
pressroom_deliveries_total{outcome="Delivered"} 3
pressroom_attempts_in_flight{kind="event"} 1
`

// What cannot be found must be noticed.
func TestWhatAQueryDoesNotFindIsAProblem(t *testing.T) {
	for _, tt := range []struct{ name, query, alert, want string }{
		{name: "all is there", query: "sum by (outcome) (increase(pressroom_deliveries_total[$__rate_interval]))", alert: `pressroom_deliveries_total{outcome="Failed"} > 0`},
		{name: "a metric that is not exported", query: "pressroom_delivery_total", want: `panel "One"`},
		{name: "a label that is not exported", query: `pressroom_deliveries_total{reason="Delivered"}`, want: `panel "One"`},
		{name: "a query that cannot be parsed", query: "sum(", want: `panel "One"`},
		{name: "a rate of nothing", query: "rate(pressroom_deliveries_total[1s])", want: `panel "One"`},
		{name: "an alert of a metric that is not exported", alert: "pressroom_delivery_total > 0", want: "alert One"},
		{name: "an alert of a label that is not exported", alert: `pressroom_deliveries_total{reason="Delivered"} > 0`, want: "alert One"},
		{name: "an alert of a job that is not there", alert: `absent(up{job="prometheus"})`, want: "alert One"},
		{name: "an alert that cannot be parsed", alert: "sum(", want: "rules.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.query == "" {
				tt.query = "pressroom_attempts_in_flight"
			}
			if tt.alert == "" {
				tt.alert = `absent(up{job="pressroom-system/pressroom-controller"})`
			}
			folder := t.TempDir()
			one, two := filepath.Join(folder, "1"), filepath.Join(folder, "2")
			write(t, filepath.Join(one, "pressroom-controller.txt"), metrics)
			write(t, filepath.Join(two, "pressroom-controller.txt"), metrics)
			panel := write(t, filepath.Join(folder, "dashboard.json"),
				`{"panels": [{"type": "row", "panels": [{"title": "One", "type": "timeseries", "targets": [{"expr": "`+strings.ReplaceAll(tt.query, `"`, `\"`)+`"}]}]}]}`)
			rules := write(t, filepath.Join(folder, "rules.yaml"), "kind: PrometheusRule\nspec: {groups: [{name: g, rules: [{alert: One, expr: '"+tt.alert+"'}]}]}\n")
			err := check(t.Context(), panel, rules, []string{one, two})
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %q", err, tt.want)
			}
		})
	}
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
