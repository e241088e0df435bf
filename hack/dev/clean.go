package main

import (
	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/hack/dev/datafolder"
)

func newCleanCommand() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "clean-data",
		Short: "Remove the data folder of run, unless it is in use",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			say := printer(cmd.OutOrStdout())
			folder, err := datafolder.Open(o.dataFolder())
			if err != nil {
				return err
			}
			if err := folder.Remove(); err != nil {
				return err
			}
			say("%s is removed", folder.Path())
			return nil
		},
	}
	cmd.Flags().StringVar(&o.root, "root", ".", "folder of the project")
	cmd.Flags().StringVar(&o.data, "data", "", "folder to remove (default .pressroom in the root)")
	return cmd
}
