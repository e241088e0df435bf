// Command promcheck runs the queries of a dashboard and of alerts, with the engine of Prometheus, on scrapes of the programs: each must
// find what it asks for.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	dashboard := flag.String("dashboard", "", "a dashboard of Grafana, as JSON")
	rules := flag.String("rules", "", "a PrometheusRule, as YAML")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "promcheck [flags] FOLDER...: a folder with files JOB.txt for each scrape, in the order of time")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := check(context.Background(), *dashboard, *rules, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(ctx context.Context, dashboard, rules string, folders []string) error {
	if dashboard == "" || rules == "" || len(folders) < 2 {
		return errors.New("promcheck needs --dashboard, --rules, and at least two scrapes: rates are between two")
	}
	s := newStore()
	at, err := load(s, folders)
	if err != nil {
		return err
	}
	return errors.Join(checkDashboard(ctx, s, dashboard, at), checkRules(ctx, s, rules, at))
}
