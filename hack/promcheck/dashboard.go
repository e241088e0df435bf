package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// dashboard is what is looked at of a dashboard of Grafana.
type dashboard struct {
	Panels []panel `json:"panels"`
}

type panel struct {
	Type    string `json:"type"`
	Title   string `json:"title"`
	Targets []struct {
		Expr string `json:"expr"`
	} `json:"targets"`
	// Panels of a row that is collapsed.
	Panels []panel `json:"panels"`
}

// interval is what Grafana puts in place of its variable, with scrapes a minute apart.
var interval = strings.NewReplacer("$__rate_interval", (4 * apart).String())

// checkDashboard runs each query of a dashboard. It must find something.
func checkDashboard(ctx context.Context, s *store, file string, at time.Time) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the dashboard: %w", err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("parsing %s: %w", file, err)
	}
	engine, queries := newEngine(), 0
	var problems []error
	for _, p := range d.all() {
		for _, target := range p.Targets {
			queries++
			found, err := run(ctx, engine, s, interval.Replace(target.Expr), at)
			if err == nil && len(found) == 0 {
				err = errors.New("it finds nothing")
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("panel %q: %s: %w", p.Title, target.Expr, err))
			}
		}
		if p.Type != "row" && len(p.Targets) == 0 {
			problems = append(problems, fmt.Errorf("panel %q has no query", p.Title))
		}
	}
	if queries == 0 {
		problems = append(problems, fmt.Errorf("%s has no queries", file))
	}
	return errors.Join(problems...)
}

// all returns the panels, and those in rows.
func (d dashboard) all() []panel {
	var all []panel
	for _, p := range d.Panels {
		all = append(all, p)
		all = append(all, p.Panels...)
	}
	return all
}
