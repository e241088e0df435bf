package main

import (
	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
)

func newOpenAPICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI 3.1 document of the REST API",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(document.JSON)
			return err
		},
	}
}
