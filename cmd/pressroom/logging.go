package main

import (
	"flag"
	"log/slog"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

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
