package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// secretVariable holds the receiver's signing secret: an argument would show in the list of processes.
const secretVariable = "PRESSROOM_SIGNING_SECRET"

func newReceiverCommand() *cobra.Command {
	var port int
	var folder string
	cmd := &cobra.Command{
		Use:   "receiver",
		Short: "Run the demonstration receiver alone, with the signing secret in " + secretVariable,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			secret := os.Getenv(secretVariable)
			if secret == "" {
				return errors.New(secretVariable + " must hold the signing secret")
			}
			ctx, cancel := interruptible(cmd.Context(), false, func() error { return nil })
			defer cancel()
			say := printer(cmd.OutOrStdout())
			server, err := system.Receive(ctx, port, []byte(secret), folder, say)
			if err != nil {
				return err
			}
			say("the receiver is ready on %s", ports.URL(port))
			<-ctx.Done()
			if err := server.Close(); err != nil {
				return fmt.Errorf("stopping the receiver: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&port, "port", ports.Default().Receiver, "loopback port")
	cmd.Flags().StringVar(&folder, "folder", defaultData+"/receiver", "folder for the posts")
	return cmd
}
