//go:build e2e

package system_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/test/project"
)

// scrapes are what both programs export, at several times: the values of each series as promtool reads them, such as "1 _ 3".
type scrapes struct {
	times  int
	values map[string][]string
}

// sample is a line of the text format: a name, labels, and a value.
var sample = regexp.MustCompile(`(?m)^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$`)

// add scrapes both programs, with the labels that the Prometheus operator adds to what it scrapes by a PodMonitor.
func (s *scrapes) add(ctx context.Context) {
	GinkgoHelper()
	for name, port := range map[string]int{"pressroom-controller": whole.Ports.ControllerMetrics, "pressroom-apiserver": whole.Ports.APIMetrics} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, ports.URL(port)+"/metrics", http.NoBody)
		Expect(err).NotTo(HaveOccurred())
		response, err := http.DefaultClient.Do(request)
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		Expect(err).NotTo(HaveOccurred())
		target := fmt.Sprintf(`job="pressroom-system/%[1]s",namespace="pressroom-system",pod="%[1]s-0"`, name)
		s.set("up{"+target+"}", "1")
		for _, found := range sample.FindAllStringSubmatch(string(text), -1) {
			s.set(found[1]+"{"+strings.TrimPrefix(found[2]+","+target, ",")+"}", found[3])
		}
	}
	s.times++
}

func (s *scrapes) set(series, text string) {
	GinkgoHelper()
	value, err := strconv.ParseFloat(text, 64)
	Expect(err).NotTo(HaveOccurred())
	for len(s.values[series]) < s.times {
		s.values[series] = append(s.values[series], "_")
	}
	if text = strconv.FormatFloat(value, 'f', -1, 64); math.IsNaN(value) || math.IsInf(value, 0) {
		text = "_"
	}
	s.values[series] = append(s.values[series], text)
}

// findEach returns an error that names the queries that find nothing, if the scrapes were made a minute apart.
func (s *scrapes) findEach(ctx context.Context, queries []string) error {
	GinkgoHelper()
	type object = map[string]any
	var series, tests []object
	for name, values := range s.values {
		series = append(series, object{"series": name, "values": strings.Join(values, " ")})
	}
	for _, query := range queries {
		tests = append(tests, object{
			"expr": "count(" + query + ") > bool 0", "eval_time": "1m", "exp_samples": []object{{"labels": "{}", "value": 1}},
		})
	}
	text, err := json.Marshal(object{"tests": []object{{"interval": "1m", "input_series": series, "promql_expr_test": tests}}})
	Expect(err).NotTo(HaveOccurred())
	file := filepath.Join(GinkgoT().TempDir(), "tests.yaml")
	Expect(os.WriteFile(file, text, 0o600)).To(Succeed())
	out, err := exec.CommandContext(ctx, filepath.Join(project.Root(), "bin", "promtool"), "test", "rules", file).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// labelNames finds the names of labels in a series.
var labelNames = regexp.MustCompile(`(\w+)="`)

// haveAll returns an error that names the series of which nothing with the same name and the same labels is exported. The values of labels
// may differ: nothing may have failed yet.
func (s *scrapes) haveAll(series []string) error {
	has := func(wanted string) bool {
		name, _, _ := strings.Cut(wanted, "{")
		for exported := range s.values {
			labels := fmt.Sprint(labelNames.FindAllString(exported, -1))
			lacks := func(label string) bool { return !strings.Contains(labels, label) }
			if strings.HasPrefix(exported, name+"{") && !slices.ContainsFunc(labelNames.FindAllString(wanted, -1), lacks) {
				return true
			}
		}
		return false
	}
	var problems []error
	for _, wanted := range series {
		if !has(wanted) {
			problems = append(problems, fmt.Errorf("nothing exports %s", wanted))
		}
	}
	return errors.Join(problems...)
}

// dashboardQueries returns the queries of the dashboard, with what Grafana puts in place of its variable if scrapes are a minute apart.
func dashboardQueries() []string {
	GinkgoHelper()
	type panel struct {
		Type, Title string
		Targets     []struct{ Expr string }
	}
	var dashboard struct {
		Panels []struct {
			panel
			// Panels of a row that is collapsed.
			Panels []panel
		}
	}
	read("config/grafana/pressroom.json", &dashboard)
	var queries []string
	for _, p := range dashboard.Panels {
		for _, one := range append(p.Panels, p.panel) {
			if one.Type != "row" {
				Expect(one.Targets).NotTo(BeEmpty(), one.Title)
			}
			for _, target := range one.Targets {
				queries = append(queries, strings.ReplaceAll(target.Expr, "$__rate_interval", "4m"))
			}
		}
	}
	Expect(queries).NotTo(BeEmpty())
	return queries
}

// alertSeries returns the series with which the alerts are tested, other than those of Kubernetes.
func alertSeries() []string {
	GinkgoHelper()
	var suite struct {
		Tests []struct {
			InputSeries []struct{ Series string } `json:"input_series"`
		}
	}
	read("config/prometheus/tests.yaml", &suite)
	var all []string
	for _, test := range suite.Tests {
		for _, one := range test.InputSeries {
			if !strings.HasPrefix(one.Series, "etcd_") && !strings.HasPrefix(one.Series, "apiserver_") {
				all = append(all, one.Series)
			}
		}
	}
	Expect(all).NotTo(BeEmpty())
	return all
}

func read(file string, into any) {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(project.Root(), filepath.FromSlash(file)))
	Expect(err).NotTo(HaveOccurred())
	Expect(yaml.Unmarshal(text, into)).To(Succeed())
}
