// Command kubectl-pressroom is a plugin for kubectl, which finds it on the PATH and runs it as `kubectl pressroom`. It works with the
// rights of the caller, and writes what docs/reference/article.md writes with kubectl alone.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// version is set when the binary is built.
var version = "dev"

// completer is the name under which kubectl runs the plugin to complete a command line: a link to the binary.
const completer = "kubectl_complete-pressroom"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	// The client logs what only a controller's operator understands.
	log.SetLogger(logr.Discard())
	root := newRootCommand(newEnvironment())
	root.SetArgs(arguments(os.Args))
	err := root.ExecuteContext(ctx)
	stop()
	os.Exit(exitCode(err, os.Stderr))
}

// arguments returns the command line for cobra. kubectl asks for completions under a name of its own.
func arguments(args []string) []string {
	if strings.TrimSuffix(filepath.Base(args[0]), ".exe") == completer {
		return append([]string{cobra.ShellCompRequestCmd}, args[1:]...)
	}
	return args[1:]
}

// Exit codes are those of kubectl: 1 for an error, except that diff ends with 1 if there are differences and with more if it fails.
const (
	exitFailed     = 1
	exitDiffers    = 1
	exitDiffFailed = 2
)

// exitError ends the program with a code of its own. Without a cause nothing is printed.
type exitError struct {
	code  int
	cause error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// exitCode prints an error, if there is something to say, and returns the code to end with.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return 0
	}
	code := exitFailed
	if exit, ok := errors.AsType[*exitError](err); ok {
		code = exit.code
		if exit.cause == nil {
			return code
		}
	}
	fmt.Fprintln(w, "error:", err)
	return code
}
