// Command pressroom is the operator (`pressroom controller`), the REST API (`pressroom apiserver`), the tool that creates API keys and
// OAuth clients (`pressroom keys`, `pressroom oauth-clients`), and the one that scores texts without a cluster (`pressroom score`).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is set when the binary is built.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal shuts down gracefully. A second one is not caught and ends the process.
	context.AfterFunc(ctx, stop)
	err := newRootCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pressroom:", err)
		os.Exit(1)
	}
}
