package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/pressroom-dev/pressroom/hack/yoast/agreement"
	"github.com/pressroom-dev/pressroom/internal/check"
)

// style prints how many posts fail a check of style, and how many fail each. With DIFFER=1, it prints what each of them fails.
func style(out io.Writer, documents []agreement.Document) error {
	failing, fails := 0, map[string]int{}
	for _, d := range documents {
		before := failing
		for _, f := range check.Run(d.Input()).Findings {
			if f.Group != check.GroupStyle || f.Result != check.Failed {
				continue
			}
			fails[f.Check]++
			failing = before + 1
			if os.Getenv("DIFFER") != "" {
				fmt.Fprintf(out, "%s: %s: %s\n", d.Name, f.Check, f.Message)
			}
		}
	}
	fmt.Fprintf(out, "style: %d of %d posts fail, %.1f %%\n", failing, len(documents), 100*float64(failing)/float64(max(len(documents), 1)))
	for _, name := range slices.Sorted(maps.Keys(fails)) {
		fmt.Fprintf(out, "  %-30s %d\n", name, fails[name])
	}
	return nil
}
