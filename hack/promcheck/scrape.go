package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// apart is how long after a scrape the next one counts as made, whenever it was.
const apart = time.Minute

// load reads scrapes: a folder for each time, with a file <job>.txt for each program. It returns the time of the last.
func load(into *store, folders []string) (time.Time, error) {
	last := time.UnixMilli(0).UTC()
	for _, folder := range folders {
		last = last.Add(apart)
		files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
		if err != nil {
			return last, fmt.Errorf("listing %s: %w", folder, err)
		}
		if len(files) == 0 {
			return last, fmt.Errorf("%s must have a file JOB.txt for each program", folder)
		}
		for _, file := range files {
			if err := loadFile(into, file, last.UnixMilli()); err != nil {
				return last, fmt.Errorf("reading %s: %w", file, err)
			}
		}
	}
	return last, nil
}

// loadFile reads a scrape, with the labels that the Prometheus operator adds to what it scrapes by a PodMonitor.
func loadFile(into *store, file string, at int64) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("opening it: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".txt")
	target := map[string]string{"job": "pressroom-system/" + name, "namespace": "pressroom-system", "pod": name + "-0"}
	named := func(of labels.Labels) labels.Labels {
		with := labels.NewBuilder(of)
		for label, value := range target {
			with.Set(label, value)
		}
		return with.Labels()
	}
	into.add(named(labels.FromStrings(labels.MetricName, "up")), at, 1)
	lines := textparse.NewPromParser(text, labels.NewSymbolTable(), false)
	for {
		entry, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("parsing it: %w", err)
		}
		if entry == textparse.EntrySeries {
			var of labels.Labels
			lines.Labels(&of)
			_, _, value := lines.Series()
			into.add(named(of), at, value)
		}
	}
}
