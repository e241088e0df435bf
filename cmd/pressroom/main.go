// Command pressroom is the operator (`pressroom controller`), the REST API (`pressroom apiserver`), the tool that creates API keys and
// OAuth clients (`pressroom keys`, `pressroom oauth-clients`), the check of the installation (`pressroom status`), and the tool that scores
// texts without a cluster (`pressroom score`).
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/pressroom-dev/pressroom/internal/tracing"
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

// logFlags returns zap's flags and a function that starts logging as they say. The default is JSON on stderr. Logs of slog and klog go
// there too.
func logFlags() (*pflag.FlagSet, func()) {
	options := &zap.Options{TimeEncoder: zapcore.RFC3339NanoTimeEncoder}
	goFlags := flag.NewFlagSet("logging", flag.ContinueOnError)
	options.BindFlags(goFlags)
	flags := pflag.NewFlagSet("logging", pflag.ContinueOnError)
	flags.AddGoFlagSet(goFlags)
	return flags, func() {
		logger := zap.New(zap.UseFlagOptions(options))
		ctrl.SetLogger(logger)
		klog.SetLogger(logger.WithName("client-go"))
		slog.SetDefault(slog.New(logr.ToSlogHandler(logger)))
	}
}

// observed runs a server whose metrics say its version, with spans turned on if the environment asks for them, and sends the last spans
// when it has ended. Spans that cannot be sent are logged; they do not fail the server.
func observed(cmd *cobra.Command, run func(*cobra.Command) error) error {
	if err := exportBuild(); err != nil {
		return fmt.Errorf("registering metrics: %w", err)
	}
	log := ctrl.Log.WithName("tracing")
	shutdown, err := tracing.Setup(cmd.Context(), "pressroom-"+cmd.Name(), version, log)
	if err != nil {
		return err
	}
	err = run(cmd)
	if lost := shutdown(context.WithoutCancel(cmd.Context())); lost != nil {
		log.Error(lost, "sending the last spans")
	}
	return err
}

const (
	// heapGrowth is the GOGC of a server, in percent: its heap grows by this share of the live heap before the garbage collector runs.
	// Most of the live heap is cached objects, which stay: with Go's default of 100, as much memory again would be garbage.
	heapGrowth = 50
	// minHeapGrowth is how many bytes the heap grows by at least. With few articles, 50 percent are so little that the garbage collector
	// would take a quarter of the controller's time.
	minHeapGrowth = 48 << 20
)

// boundHeap bounds the growth of the heap by heapGrowth and minHeapGrowth, unless the environment variable GOGC has a value.
func boundHeap(getenv func(string) string) {
	if getenv("GOGC") == "" {
		adjustHeapGrowth()
	}
}

// adjustHeapGrowth sets by how many percent the heap grows, now and whenever the garbage collector has run.
func adjustHeapGrowth() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(heapGrowthOf(live[0].Value.Uint64()))
	runtime.AddCleanup(&struct{ cycle *byte }{}, func(struct{}) { adjustHeapGrowth() }, struct{}{})
}

// heapGrowthOf returns by how many percent a heap grows of which so many bytes are in use.
func heapGrowthOf(live uint64) int {
	return max(heapGrowth, int(100*minHeapGrowth/max(float64(live), 1<<20)))
}
