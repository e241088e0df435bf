package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// slotFlags bound the calls of external endpoints that are in progress at once.
type slotFlags struct {
	runs, deliveries inflight.Limits
}

// add adds the flags. docs/how-to/operate.md gives the reasons of the defaults.
func (f *slotFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.runs.Total, "max-runs", 64, "generator runs in progress at once")
	flags.IntVar(&f.runs.PerAccount, "max-runs-per-account", 16, "of those, runs of one account")
	flags.IntVar(&f.runs.PerDomain, "max-runs-per-domain", 32,
		"of those, runs at endpoints of one registrable domain that Sites name; the controller's own generator is not counted")
	flags.IntVar(&f.runs.PerHost, "max-runs-per-host", 32, "of those, runs at one endpoint that Sites name")
	flags.IntVar(&f.runs.Unresponsive, "max-runs-unresponsive", 16, "of those, runs at endpoints whose last attempts timed out")
	flags.IntVar(&f.deliveries.Total, "max-deliveries", 64,
		"deliveries of articles in progress at once; as many of events, and as many connection tests")
	flags.IntVar(&f.deliveries.PerAccount, "max-deliveries-per-account", 16, "of those, deliveries of one account")
	flags.IntVar(&f.deliveries.PerDomain, "max-deliveries-per-domain", 16, "of those, deliveries to hosts of one registrable domain")
	flags.IntVar(&f.deliveries.PerHost, "max-deliveries-per-host", 8, "of those, deliveries to one host and port")
	flags.IntVar(&f.deliveries.Unresponsive, "max-deliveries-unresponsive", 16,
		"of those, deliveries to hosts whose last attempts timed out")
}

// check returns an error if a limit is below 1.
func (f *slotFlags) check() error {
	for prefix, l := range map[string]inflight.Limits{"--max-runs": f.runs, "--max-deliveries": f.deliveries} {
		if min(l.Total, l.PerAccount, l.PerDomain, l.PerHost, l.Unresponsive) < 1 {
			const format = "%[1]s, %[1]s-per-account, %[1]s-per-domain, %[1]s-per-host and %[1]s-unresponsive must be at least 1"
			return fmt.Errorf(format, prefix)
		}
	}
	return nil
}
