package main

import (
	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/cmd/pressroom/credentials"
)

// credentialSource is how commands that make credentials reach the cluster.
func credentialSource() credentials.Source {
	return credentials.Source{Config: restConfig}
}

func newKeysCommand(source credentials.Source) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Create and revoke API keys",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(credentials.NewKeysCommands(source)...)
	return cmd
}
