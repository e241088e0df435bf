package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/survey"
)

const (
	// statusPeriod is how often --wait looks.
	statusPeriod = time.Second
	// statusTimeout bounds a request to kube-apiserver.
	statusTimeout = 30 * time.Second
)

func newStatusCommand() *cobra.Command {
	var patience time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Check that the installation works; the exit code is 1 if it does not",
		Long: `Check that the installation works: its programs are ready, a controller leads, and no program fails to list a kind.
If it does not work, or if that cannot be read, the exit code is 1.

It needs the verb list on Deployments and Events, and get on Leases, in the system namespace. helm test runs it in a Pod. The command
kubectl pressroom status also shows what is in the queues and which sites fail.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return status(cmd, patience) },
	}
	cmd.Flags().String("system-namespace", defaultSystemNamespace, "namespace that Pressroom is installed in")
	cmd.Flags().DurationVar(&patience, "wait", 0, "how long to look again while the installation does not work; once if 0")
	return cmd
}

func status(cmd *cobra.Command, patience time.Duration) error {
	namespace, err := systemNamespace(cmd)
	if err != nil {
		return err
	}
	config, err := restConfig(cmd)
	if err != nil {
		return err
	}
	config.Timeout = statusTimeout
	c, err := client.New(config, client.Options{})
	if err != nil {
		return fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	found, err := awaitHealth(cmd.Context(), &survey.Survey{Client: c, System: namespace, Clock: clock.RealClock{}}, patience)
	if err != nil {
		return err
	}
	return errors.Join(found.Write(cmd.OutOrStdout(), nil), found.Err())
}

// awaitHealth looks until the installation works, or until patience has passed. It looks once at least, and returns what it has found last.
func awaitHealth(ctx context.Context, s *survey.Survey, patience time.Duration) (found *survey.Installation, err error) {
	look := func(ctx context.Context) (bool, error) {
		// A look that has begun may take longer than patience.
		found = s.Health(context.WithoutCancel(ctx))
		return found.Err() == nil, nil
	}
	err = wait.PollUntilContextTimeout(ctx, statusPeriod, patience, true, look)
	if wait.Interrupted(err) {
		err = nil
	}
	return found, err
}
