package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/hack/dev/datafolder"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// options are the flags that starting a system takes.
type options struct {
	root           string
	data           string
	exitWithParent bool
	ports          ports.Ports
}

// declare adds the flags to a command.
func (o *options) declare(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.root, "root", ".", "folder of the project")
	cmd.Flags().BoolVar(&o.exitWithParent, "exit-with-parent", false, "stop when the parent process ends")
}

// defaultData is the data folder of `make run`, below the root.
const defaultData = ".pressroom"

func (o *options) dataFolder() string {
	if o.data != "" {
		return o.data
	}
	return filepath.Join(o.root, defaultData)
}

// printer returns the function that tells a person how far it is.
func printer(w io.Writer) func(string, ...any) {
	return func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
}

// start starts a system in the data folder and passes it to use. Everything is stopped when use returns, when starting fails,
// and when the person interrupts.
func (o *options) start(cmd *cobra.Command, use func(context.Context, *system.System) error) (err error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return fmt.Errorf("finding the project: %w", err)
	}
	folder, err := datafolder.Open(o.dataFolder())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if err := o.ports.Allocate(cmd.Context()); err != nil {
		return err
	}
	s := system.Options{
		Root: root, Assets: os.Getenv("KUBEBUILDER_ASSETS"), Folder: folder, Ports: o.ports, Group: system.NewGroup(folder),
		Say: printer(cmd.OutOrStdout()),
	}
	ctx, cancel := interruptible(cmd.Context(), o.exitWithParent, s.Group.KillAll)
	defer cancel()
	return run(ctx, s, use)
}

func run(ctx context.Context, o system.Options, use func(context.Context, *system.System) error) (err error) {
	s, err := system.Start(ctx, o)
	defer func() { err = errors.Join(err, stop(ctx, s)) }()
	if err == nil {
		err = use(ctx, s)
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		// An error that comes of the end is no failure.
		return nil
	}
	return err
}

func stop(ctx context.Context, s *system.System) error {
	if errors.Is(context.Cause(ctx), errInterrupted) {
		s.Say("\nstopping everything (Ctrl-C again kills it) ...")
	}
	if err := s.Stop(); err != nil {
		return err
	}
	s.Say("everything is stopped")
	return nil
}
