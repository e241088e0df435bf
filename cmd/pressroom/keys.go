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

// keysTimeout bounds one call to the API server: somebody is waiting for the command.
const keysTimeout = 30 * time.Second

// keyTools are what the keys commands need beside their flags.
type keyTools struct {
	clock  clock.PassiveClock
	random io.Reader
}

func newKeysCommand() *cobra.Command {
	return newKeysCommandWith(keyTools{clock: clock.RealClock{}, random: rand.Reader})
}

func newKeysCommandWith(tools keyTools) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list and revoke API keys",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeysCreateCommand(tools), newKeysListCommand(tools), newKeysRevokeCommand())
	return cmd
}

// keyStore is where the keys live.
type keyStore struct {
	client.Client
	namespace string
}

func openKeyStore(cmd *cobra.Command) (*keyStore, error) {
	namespace, err := systemNamespace(cmd)
	if err != nil {
		return nil, err
	}
	config, err := restConfig(cmd)
	if err != nil {
		return nil, err
	}
	config.Timeout = keysTimeout
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("connecting to the API server: %w", err)
	}
	return &keyStore{Client: c, namespace: namespace}, nil
}
