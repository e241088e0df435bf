// Command dev starts a whole Pressroom on this machine: `make run`, `make demo` and `make demo-wordpress`. It runs in the folder of the
// project.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// errInterrupted is the cause of an end that a person has asked for.
var errInterrupted = errors.New("interrupted")

func main() {
	commands := map[string]func(context.Context) error{"run": run, "demo": runDemo, "demo-wordpress": runDemoWordPress}
	if len(os.Args) != 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: pressroom-dev run|demo|demo-wordpress")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](interruptible()); err != nil {
		fmt.Fprintf(os.Stderr, "\n%v\n", err)
		os.Exit(1)
	}
}

// interruptible returns a context that ends with the first Ctrl-C, SIGTERM or SIGHUP. A second signal ends this program, and with it
// everything that it has started.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		signal.Stop(signals)
		sayf("\nstopping everything (Ctrl-C again kills it) ...")
		cancel(errInterrupted)
	}()
	return ctx
}

// sayf tells a person how far it is.
func sayf(format string, args ...any) { fmt.Fprintf(os.Stdout, format+"\n", args...) }

// withSystem starts a system with its data in a folder, passes it to use, and stops it.
func withSystem(ctx context.Context, folder string, at ports.Ports, use func(context.Context, *system.System) error) (err error) {
	unlock, err := lock(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if err := at.Check(ctx); err != nil {
		return fmt.Errorf("%w\nStop what listens there, or choose other ports by their first one: PRESSROOM_PORT=%d", err, at.API+1000)
	}
	s, err := system.Start(ctx, system.Options{
		Root: root, Folder: folder, Ports: at, Say: sayf,
		// As in a cluster, `kubectl pressroom status` says which controller leads. The other flags are such as those that connect a model.
		ControllerArgs: append([]string{"--leader-elect"}, strings.Fields(os.Getenv("PRESSROOM_CONTROLLER_FLAGS"))...),
	})
	defer func() {
		err = errors.Join(err, s.Stop())
		sayf("everything is stopped")
	}()
	if err == nil {
		ctx = failing(ctx, s)
		err = use(ctx, s)
	}
	if err != nil && ctx.Err() != nil {
		// The other error comes of the end.
		return context.Cause(ctx)
	}
	return err
}

// failing returns a context that ends when a part of the system ends by itself, with its error as the cause.
func failing(ctx context.Context, s *system.System) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case err := <-s.Group.Failed():
			cancel(err)
		case <-ctx.Done():
		}
	}()
	return ctx
}

// stay returns when ctx has ended: nil if a person has ended it.
func stay(ctx context.Context) error {
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, errInterrupted) {
		return err
	}
	return nil
}

// lock makes a folder and locks it until this process ends or unlock is called.
func lock(folder string) (unlock func() error, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the data folder: %w", err)
	}
	file, err := os.Open(folder)
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("%s is in use by another `make run`: stop that first, with Ctrl-C where it runs", folder)
	}
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", folder, err)
	}
	return file.Close, nil
}

// firstPort returns the value of PRESSROOM_PORT, or its default.
func firstPort() (int, error) {
	const lowest, highest = 1024, 65526
	value := os.Getenv("PRESSROOM_PORT")
	if value == "" {
		return ports.Default, nil
	}
	port, err := strconv.Atoi(value)
	if err != nil || port < lowest || port > highest {
		return 0, fmt.Errorf("PRESSROOM_PORT=%q: must be a port, %d to %d", value, lowest, highest)
	}
	return port, nil
}
