package main

import (
	"errors"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// dryRun is the flag --dry-run: none, client or server.
type dryRun string

const (
	dryRunNone   dryRun = "none"
	dryRunClient dryRun = "client"
	dryRunServer dryRun = "server"
)

func newDryRun(cmd *cobra.Command) *dryRun {
	d := dryRunNone
	cmd.Flags().Var(&d, "dry-run", `Must be "none", "server", or "client". If client strategy, only print the object that would be sent, `+
		`without sending it. If server strategy, submit the request without persisting the resource.`)
	complete(cmd, "dry-run", func(string) []string { return []string{string(dryRunClient), string(dryRunNone), string(dryRunServer)} })
	return &d
}

// String is the value of the flag.
func (d *dryRun) String() string { return string(*d) }

// Set reads the value of the flag.
func (d *dryRun) Set(value string) error {
	switch given := dryRun(value); given {
	case dryRunNone, dryRunClient, dryRunServer:
		*d = given
		return nil
	}
	return errors.New(`must be "none", "server" or "client"`)
}

// Type is what help shows for the value.
func (*dryRun) Type() string { return "string" }

// patchOptions are for a write.
func (d dryRun) patchOptions() []client.PatchOption {
	options := []client.PatchOption{client.FieldOwner(fieldManager), client.FieldValidation("Strict")}
	if d == dryRunServer {
		options = append(options, client.DryRunAll)
	}
	return options
}

// said adds to what was done that it was not, in the words of kubectl.
func (d dryRun) said(what string) string {
	switch d {
	case dryRunClient:
		return what + " (dry run)"
	case dryRunServer:
		return what + " (server dry run)"
	}
	return what
}
