package main

import (
	"os"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/identity"
)

// environment has the dependencies of commands, which tests replace.
type environment struct {
	genericiooptions.IOStreams

	flags *genericclioptions.ConfigFlags
	clock clock.PassiveClock
	// nonce makes the value of an annotation that asks for something.
	nonce func() string
}

func newEnvironment() *environment {
	return &environment{
		IOStreams: genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		flags:     genericclioptions.NewConfigFlags(true), clock: clock.RealClock{}, nonce: identity.NewName,
	}
}

// newRootCommand assembles the command line.
func newRootCommand(e *environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "kubectl-pressroom",
		Short: "Review, publish and look after the articles of Pressroom",
		Long: `Review, publish and look after the articles of Pressroom.

The plugin works with your own rights. What it writes, kubectl can write too: it saves you the digests, names and nonces.`,
		Version:       version,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl pressroom"},
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	// kubectl completes command lines: see completion.go.
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.ErrOut)
	e.flags.AddFlags(root.PersistentFlags())
	complete(root, "namespace", func(string) []string {
		return e.names(root.Context(), schema.GroupVersionKind{Version: "v1", Kind: "Namespace"})
	})
	root.AddCommand(
		e.newApproveCommand(), e.newRejectCommand(), e.newPublishCommand(), e.newCancelPublicationCommand(),
		e.newRegenerateCommand(), e.newRedeliverCommand(), e.newUnpublishCommand(),
		e.newPreviewCommand(), e.newDiffCommand(), e.newTreeCommand(), e.newExportCommand(),
		e.newStatusCommand(), e.newKeysCommand(),
	)
	return root
}
