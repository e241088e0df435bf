// Command dev starts a whole Pressroom on this machine: `make run` and `make demo`.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

func main() {
	if err := newCommand().Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "\n%v\n", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "pressroom-dev",
		Short:         "Run a whole Pressroom on this machine, for development",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(newRunCommand(), newDemoCommand(), newDemoWordPressCommand(), newReceiverCommand(), newCleanCommand())
	return cmd
}

// errInterrupted is the cause of an end that a person has asked for.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that ends with the first Ctrl-C, SIGTERM or SIGHUP, or, if withParent, with the parent
// process. A second signal calls kill.
func interruptible(ctx context.Context, withParent bool, kill func() error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		cancel(errInterrupted)
		<-signals
		if err := kill(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	if withParent {
		go watchParent(ctx, func() { cancel(errInterrupted) })
	}
	return ctx, func() { cancel(context.Canceled) }
}

// watchParent calls ended when the parent process has ended, for example a make that was killed.
func watchParent(ctx context.Context, ended func()) {
	parent := os.Getppid()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				ended()
				return
			}
		}
	}
}
