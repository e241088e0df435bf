package main

import (
	"context"

	"github.com/spf13/cobra"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// traced runs a server with what makes its spans, and sends the last of them when it has ended. That they cannot be sent
// is no failure of the server.
func traced(cmd *cobra.Command, run func(tracing.Tracer) error) error {
	log := ctrl.Log.WithName("tracing")
	exporter, err := tracing.Start(cmd.Context(), tracing.Program{Name: "pressroom-" + cmd.Name(), Version: version}, log)
	if err != nil {
		return err
	}
	err = run(exporter.Tracer())
	if lost := exporter.Stop(context.WithoutCancel(cmd.Context())); lost != nil {
		log.Error(lost, "stopping")
	}
	return err
}
