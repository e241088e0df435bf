// Command apilint checks the types of the Kubernetes API by the conventions of Kubernetes, with the linters that Cluster API uses.
package main

import (
	"fmt"
	"os"
	"regexp"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/kube-api-linter/pkg/plugin/base"
	_ "sigs.k8s.io/kube-api-linter/pkg/registration"
	"sigs.k8s.io/yaml"
)

// config is the content of apilint.yaml: linters, their settings, and exclusions.
type config struct {
	Settings any `json:"settings"`
	Exclude  []struct {
		Linter  string `json:"linter"`
		Message string `json:"message"`
		Reason  string `json:"reason"`
	} `json:"exclude"`
}

func main() {
	found, err := lint(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "apilint:", err)
		os.Exit(2)
	}
	if found > 0 {
		os.Exit(1)
	}
}

func lint(file string, patterns []string) (found int, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var c config
	if err := yaml.UnmarshalStrict(data, &c); err != nil {
		return 0, err
	}
	plugin, err := base.New(c.Settings)
	if err != nil {
		return 0, err
	}
	analyzers, err := plugin.BuildAnalyzers()
	if err != nil {
		return 0, err
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, patterns...)
	if err != nil {
		return 0, err
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return 0, err
	}
	used := make([]bool, len(c.Exclude))
	for _, act := range graph.Roots {
		if act.Err != nil {
			return 0, act.Err
		}
		for _, d := range act.Diagnostics {
			excluded := false
			for i, e := range c.Exclude {
				if e.Linter == act.Analyzer.Name && regexp.MustCompile(e.Message).MatchString(d.Message) {
					excluded, used[i] = true, true
				}
			}
			if !excluded {
				fmt.Printf("%s: %s: %s\n", act.Package.Fset.Position(d.Pos), act.Analyzer.Name, d.Message)
				found++
			}
		}
	}
	for i, e := range c.Exclude {
		if !used[i] || e.Reason == "" {
			fmt.Printf("%s: the exclusion of %s %q excludes nothing, or has no reason\n", file, e.Linter, e.Message)
			found++
		}
	}
	return found, nil
}
