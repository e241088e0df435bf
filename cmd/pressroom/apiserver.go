package main

import (
	"fmt"
	"net/netip"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/cmd/pressroom/credentials"
)

// apiServerFlags are the flags of `pressroom apiserver`.
type apiServerFlags struct {
	apiserver.Options

	trustedProxies []string
	registration   bool
	egress         egressFlags
	kubeAPI        kubeAPIFlags
}

func newAPIServerCommand() *cobra.Command {
	f := &apiServerFlags{}
	cmd := &cobra.Command{
		Use:   "apiserver",
		Short: "Run the REST API",
		Long:  "Run the REST API. It has no state besides what it reads from kube-apiserver: run as many replicas as needed.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return observed(cmd, f.run)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.BindAddress, "bind-address", ":8080", "address of the REST API")
	flags.StringVar(&f.MetricsBindAddress, "metrics-bind-address", ":8082", "address of /metrics; 0 turns it off")
	flags.StringVar(&f.HealthProbeBindAddress, "health-probe-bind-address", ":8083", "address of /healthz and /readyz; 0 turns it off")
	flags.StringVar(&f.BaseURL, "base-url", "", "address under which clients reach the REST API, such as https://api.example.com; "+
		"the issuer of OAuth; without it the pages and the metadata of OAuth answer 503, unless --bind-address is a loopback address")
	flags.StringVar(&f.AppURL, "app-url", "",
		"address under which people reach the pages, such as https://app.example.com, without a path; --base-url if empty, "+
			"so it must be given if that has a path")
	flags.BoolVar(&f.registration, "oauth-client-registration", true,
		"accounts may register OAuth clients over the REST API; "+
			"if false, only the command pressroom oauth-clients and kubectl register them")
	flags.BoolVar(&f.ClientMetadataDocuments, "client-metadata-documents", false,
		"OAuth clients may identify by the URL of a Client ID Metadata Document; for people who are signed in, this program then reads "+
			"documents at public addresses that others name")
	flags.StringVar(&f.TLS.CertFile, "tls-cert-file", "",
		"file with the certificate, and those of its issuers, to serve HTTPS on --bind-address; read again when it changes. "+
			"Plain HTTP if empty")
	flags.StringVar(&f.TLS.KeyFile, "tls-private-key-file", "", "file with the private key of --tls-cert-file")
	addSystemNamespace(flags)
	credentials.AddCell(flags, &f.Cell)
	f.egress.add(flags)
	f.kubeAPI.add(flags)
	f.addPages(flags)
	return cmd
}

// addPages adds the flags of the pages on which people sign in and give clients access.
func (f *apiServerFlags) addPages(flags *pflag.FlagSet) {
	flags.StringVar(&f.Pages.SessionKeyFile, "session-key-file", "",
		"file with one or two lines of 32 random bytes in base64, the newest first: they seal sessions; "+
			"without it the pages are not served")
	flags.StringSliceVar(&f.trustedProxies, "trusted-proxy", nil,
		"network of a proxy whose X-Forwarded-For is trusted when failed sign-ins are slowed down, such as 10.0.0.0/8 (repeatable)")
	flags.StringVar(&f.Pages.OIDCIssuer, "oidc-issuer", "",
		"address of the OpenID Connect issuer that signs people in; without it they sign in with an API key")
	flags.StringVar(&f.Pages.OIDCClientID, "oidc-client-id", "", "client ID that the issuer has registered for Pressroom")
	flags.StringVar(&f.Pages.OIDCClientSecretFile, "oidc-client-secret-file", "", "file with the client secret that the issuer has given")
}

// proxies reads the networks of --trusted-proxy.
func (f *apiServerFlags) proxies() error {
	for _, proxy := range f.trustedProxies {
		network, err := netip.ParsePrefix(proxy)
		if err != nil {
			return fmt.Errorf("--trusted-proxy must be a network such as 10.0.0.0/8, not %q", proxy)
		}
		f.Pages.TrustedProxies = append(f.Pages.TrustedProxies, network)
	}
	return nil
}

func (f *apiServerFlags) run(cmd *cobra.Command) error {
	if err := f.proxies(); err != nil {
		return err
	}
	var err error
	if f.Egress, err = f.egress.policy(); err != nil {
		return err
	}
	warnOfPrivate(f.Egress)
	if f.Config, err = f.kubeAPI.config(cmd); err != nil {
		return err
	}
	if f.SystemNamespace, err = systemNamespace(cmd); err != nil {
		return err
	}
	if f.Pod, err = ownPod(f.SystemNamespace); err != nil {
		return err
	}
	boundHeap(os.Getenv)
	f.NoClientRegistration, f.Log = !f.registration, ctrl.Log.WithName("apiserver")
	server, err := apiserver.New(f.Options)
	if err != nil {
		return err
	}
	return server.Run(cmd.Context())
}
