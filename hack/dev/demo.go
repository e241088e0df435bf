package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/hack/dev/demo"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// demoDeadline ends a demonstration that hangs; an idle machine with two cores needs ten seconds.
const demoDeadline = 10 * time.Minute

// newDemoCommand makes the command that takes an article through all steps, in a folder and on ports of its own: it does not
// disturb a `make run`.
func newDemoCommand() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Start a separate system, take an article from a keyword to the receiver, and stop",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return o.demo(cmd) },
	}
	o.declare(cmd)
	return cmd
}

func (o *options) demo(cmd *cobra.Command) (err error) {
	began := time.Now()
	if o.data, err = os.MkdirTemp("", "pressroom-demo-"); err != nil {
		return fmt.Errorf("making a folder for the demonstration: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w\nThe demonstration has failed; its logs are kept in %s/logs", err, o.data)
			return
		}
		err = os.RemoveAll(o.data)
	}()
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), demoDeadline, fmt.Errorf("the demonstration takes longer than %s", demoDeadline))
	defer cancel()
	cmd.SetContext(ctx)
	finished := false
	err = o.start(cmd, func(ctx context.Context, s *system.System) error {
		err := demo.Run(ctx, demo.Options{
			URL: s.APIURL(), APIKey: s.APIKey, Workspace: system.Workspace, ReceiverURL: s.ReceiverURL(), Say: s.Say,
		})
		finished = err == nil
		return err
	})
	if err == nil && !finished {
		return errors.New("the demonstration was interrupted")
	}
	if err == nil {
		printer(cmd.OutOrStdout())("The demonstration has taken %s.", time.Since(began).Round(time.Second))
	}
	return err
}
