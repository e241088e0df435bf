package main

import (
	"github.com/spf13/cobra"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/apiserver"
)

// apiServerFlags are the flags of `pressroom apiserver`.
type apiServerFlags struct {
	address, metricsAddress, healthAddress string
	baseURL, appURL                        string
}

func newAPIServerCommand() *cobra.Command {
	f := &apiServerFlags{}
	cmd := &cobra.Command{
		Use:   "apiserver",
		Short: "Run the REST API",
		Long:  "Run the REST API. It keeps nothing but what it reads from the API server: run as many replicas as needed.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.address, "bind-address", ":8080", "address of the REST API")
	flags.StringVar(&f.metricsAddress, "metrics-bind-address", ":8082", "address of /metrics; 0 turns it off")
	flags.StringVar(&f.healthAddress, "health-probe-bind-address", ":8083", "address of /healthz and /readyz; 0 turns it off")
	flags.StringVar(&f.baseURL, "base-url", "", "address under which the outside reaches the REST API, such as https://api.example.com; "+
		"the issuer of OAuth")
	flags.StringVar(&f.appURL, "app-url", "", "address under which people reach the pages, such as the consent page; --base-url where empty")
	return cmd
}

func (f *apiServerFlags) run(cmd *cobra.Command) error {
	config, err := restConfig(cmd)
	if err != nil {
		return err
	}
	namespace, err := systemNamespace(cmd)
	if err != nil {
		return err
	}
	server, err := apiserver.New(apiserver.Options{
		Config: config, SystemNamespace: namespace, BindAddress: f.address, MetricsBindAddress: f.metricsAddress,
		HealthProbeBindAddress: f.healthAddress, BaseURL: f.baseURL, AppURL: f.appURL, Log: ctrl.Log.WithName("apiserver"),
	})
	if err != nil {
		return err
	}
	return server.Run(cmd.Context())
}
