package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/cmd/pressroom/credentials"
)

// defaultSystemNamespace is where config/default installs.
const defaultSystemNamespace = "pressroom-system"

// newRootCommand assembles the command line.
func newRootCommand() *cobra.Command { return newRootCommandWith(credentialSource()) }

// newRootCommandWith assembles the command line. Its commands for keys reach the cluster, and know the time, by source.
func newRootCommandWith(source credentials.Source) *cobra.Command {
	root := &cobra.Command{
		Use:           "pressroom",
		Short:         "Generate, review, publish and deliver articles on Kubernetes",
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	logging, startLogging := logFlags()
	root.PersistentPreRun = func(*cobra.Command, []string) { startLogging() }
	root.AddCommand(newOpenAPICommand(), newScoreCommand(), newEvalCommand())
	for _, cmd := range []*cobra.Command{
		newControllerCommand(), newAPIServerCommand(), newKeysCommand(source), newOAuthClientsCommand(), newStatusCommand(),
	} {
		addClusterFlags(cmd.PersistentFlags())
		cmd.PersistentFlags().AddFlagSet(logging)
		root.AddCommand(cmd)
	}
	return root
}

// addClusterFlags adds the flags of commands that need a cluster.
func addClusterFlags(flags *pflag.FlagSet) {
	flags.String("kubeconfig", "", "kubeconfig file; $KUBECONFIG, the Pod's ServiceAccount or ~/.kube/config if empty")
}

// addSystemNamespace adds the flag of the two servers.
func addSystemNamespace(flags *pflag.FlagSet) {
	flags.String("system-namespace", defaultSystemNamespace,
		"namespace of the controller's lease, and of the records of Idempotency-Keys that belong to no workspace")
}

// restConfig returns how to reach kube-apiserver.
func restConfig(cmd *cobra.Command) (*rest.Config, error) {
	path, err := cmd.Flags().GetString("kubeconfig")
	if err != nil {
		return nil, err
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = path
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("finding kube-apiserver: %w", err)
	}
	config.UserAgent = "pressroom/" + version
	return config, nil
}

// systemNamespace returns the namespace that Pressroom is installed in.
func systemNamespace(cmd *cobra.Command) (string, error) {
	namespace, err := cmd.Flags().GetString("system-namespace")
	if err != nil {
		return "", err
	}
	if namespace == "" {
		return "", errors.New("--system-namespace may not be empty")
	}
	return namespace, nil
}

func newOpenAPICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI 3.1 document of the REST API",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(document.JSON)
			return err
		},
	}
}

// credentialSource is how commands that make credentials reach the cluster.
func credentialSource() credentials.Source {
	return credentials.Source{Config: restConfig, Clock: clock.RealClock{}}
}

func newKeysCommand(source credentials.Source) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Create and revoke API keys",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(credentials.NewKeysCommands(source)...)
	return cmd
}
