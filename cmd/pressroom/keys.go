package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// requestTimeout bounds one request to kube-apiserver: a person waits for the command.
const requestTimeout = 30 * time.Second

// keySource is where new keys get their time and their secrets. Tests replace it.
type keySource struct {
	clock  clock.PassiveClock
	random io.Reader
}

func newKeysCommand() *cobra.Command {
	return newKeysCommandWith(keySource{clock: clock.RealClock{}, random: rand.Reader})
}

func newKeysCommandWith(source keySource) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Create and revoke API keys",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeysCreateCommand(source), newKeysRevokeCommand(source))
	return cmd
}

// systemStore reads and writes objects of the system namespace.
type systemStore struct {
	client.Client
	namespace string
}

func openSystemStore(cmd *cobra.Command) (*systemStore, error) {
	namespace, err := systemNamespace(cmd)
	if err != nil {
		return nil, err
	}
	config, err := restConfig(cmd)
	if err != nil {
		return nil, err
	}
	config.Timeout = requestTimeout
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	return &systemStore{Client: c, namespace: namespace}, nil
}
