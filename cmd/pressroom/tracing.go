package main

import (
	"context"

	"github.com/spf13/cobra"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// withTracing runs a server with spans turned on if the environment asks for them, and sends the last spans when it has ended.
// Spans that cannot be sent are logged; they do not fail the server.
func withTracing(cmd *cobra.Command, run func(*cobra.Command) error) error {
	log := ctrl.Log.WithName("tracing")
	shutdown, err := tracing.Setup(cmd.Context(), "pressroom-"+cmd.Name(), version, log)
	if err != nil {
		return err
	}
	err = run(cmd)
	if lost := shutdown(context.WithoutCancel(cmd.Context())); lost != nil {
		log.Error(lost, "sending the last spans")
	}
	return err
}
