package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/clock"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/cmd/pressroom/credentials"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

func newOAuthClientsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "oauth-clients",
		Short: "Register clients that ask for access over OAuth 2.0, and change their secrets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newOAuthClientsCreateCommand(), newOAuthClientsRotateCommand())
	return cmd
}

type oauthClientsCreateFlags struct {
	client          v1alpha1.OAuthClientSpec
	account, output string
	scopes          []string
	public, anyPort bool
	cell            credential.Cell
}

func newOAuthClientsCreateCommand() *cobra.Command {
	f := &oauthClientsCreateFlags{}
	cmd := &cobra.Command{
		Use:   "create --name NAME --redirect-uri URI",
		Short: "Register a client and print its secret, once",
		Long: `Register a client and print its client id and its secret on stdout. This is the only time that the secret is shown: only its
hash is stored. A public client has no secret.

With -o yaml the command creates nothing. It prints the manifest, which you may commit to Git, on stdout and the rest on stderr.`,
		Example: `  pressroom oauth-clients create --name "Newsletter tool" --redirect-uri https://tool.example/callback
  pressroom oauth-clients create --name "Desktop tool" --redirect-uri http://127.0.0.1/callback \
    --public --any-loopback-port -o yaml > app.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.client.DisplayName, "name", "", "the name that people see (required)")
	flags.StringArrayVar(&f.client.RedirectURIs, "redirect-uri", nil,
		"address that people may be sent back to; repeat up to 20 times (required)")
	flags.StringSliceVar(&f.scopes, "scopes", []string{"read", "write"}, "what the client may ask for: read, write, approve")
	flags.StringVar(&f.account, "account", "", "account that may change the client over the REST API; none if empty")
	flags.BoolVar(&f.public, "public", false, "the client cannot keep a secret: it gets none, and must use PKCE")
	flags.BoolVar(&f.anyPort, "any-loopback-port", false, "redirect URIs on 127.0.0.1 and [::1] may have any port")
	credentials.AddCell(flags, &f.cell)
	flags.StringVar(&f.client.LogoURL, "logo-url", "", "https address of the client's logo")
	flags.StringVar(&f.client.HomeURL, "home-url", "", "https address of the client's own site")
	flags.StringVar(&f.client.PolicyURL, "policy-url", "", "https address of the client's privacy policy")
	flags.StringVar(&f.client.TermsURL, "terms-url", "", "https address of the client's terms of service")
	flags.StringSliceVar(&f.client.Contacts, "contacts", nil, "e-mail addresses of the people who run the client")
	flags.StringVarP(&f.output, "output", "o", "", "print the manifest instead of creating the client: yaml")
	return cmd
}

// spec checks the flags and returns the client's spec.
func (f *oauthClientsCreateFlags) spec() (v1alpha1.OAuthClientSpec, error) {
	spec := f.client
	spec.Type, spec.LoopbackPort = v1alpha1.OAuthClientConfidential, v1alpha1.LoopbackPortRegistered
	if spec.DisplayName == "" {
		return spec, credentials.Usage("--name must be the name that people see")
	}
	if len(spec.RedirectURIs) == 0 {
		return spec, credentials.Usage("--redirect-uri must be given at least once")
	}
	for _, uri := range spec.RedirectURIs {
		if err := oauth.CheckRedirect(&v1alpha1.OAuthClient{Spec: spec}, uri); err != nil {
			return spec, credentials.Usage("--redirect-uri must be https, or http on 127.0.0.1 or [::1], without a fragment, not %q", uri)
		}
	}
	if err := checkOutput(f.output); err != nil {
		return spec, err
	}
	if f.account != "" {
		if problems := validation.IsDNS1123Label(f.account); len(problems) > 0 {
			return spec, credentials.Usage("--account must name an account, not %q", f.account)
		}
		spec.AccountRef = &v1alpha1.AccountReference{Name: f.account}
	}
	if f.public {
		spec.Type = v1alpha1.OAuthClientPublic
	}
	if f.anyPort {
		spec.LoopbackPort = v1alpha1.LoopbackPortAny
	}
	var err error
	spec.Scopes, err = credentials.ParseScopes(f.scopes, grant.Scopes())
	return spec, err
}

func (f *oauthClientsCreateFlags) run(cmd *cobra.Command) error {
	spec, err := f.spec()
	if err != nil {
		return err
	}
	registered, secret, err := oauth.NewRegistry(nil, f.cell, clock.RealClock{}).Prepare("", spec)
	if err != nil {
		return err
	}
	if f.output != "" {
		return printManifest(cmd, registered, secret)
	}
	store, err := credentialSource().Open(cmd)
	if err != nil {
		return err
	}
	if f.account != "" {
		if _, err := credentials.Account(cmd, store, f.account); err != nil {
			return err
		}
	}
	if err := oauth.NewRegistry(store, f.cell, clock.RealClock{}).Store(cmd.Context(), registered); err != nil {
		return err
	}
	return showSecret(cmd, registered, secret)
}

// printManifest prints the manifest on stdout and the secret on stderr.
func printManifest(cmd *cobra.Command, registered *v1alpha1.OAuthClient, secret string) error {
	manifest, err := yaml.Marshal(registered)
	if err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	if err := credentials.Notify(cmd, "client id: %s\n", registered.ClientID()); err != nil {
		return err
	}
	if secret != "" {
		err := credentials.Notify(cmd,
			"client secret: %s\nThis is the only time that the secret is shown. It works once the manifest is applied.\n", secret)
		if err != nil {
			return err
		}
	}
	_, err = cmd.OutOrStdout().Write(manifest)
	return err
}

// showSecret prints the client id and the secret on stdout, for programs, and a message on stderr.
func showSecret(cmd *cobra.Command, registered *v1alpha1.OAuthClient, secret string) error {
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), registered.ClientID()); err != nil {
		return fmt.Errorf("the client %s is stored but could not be printed: %w", registered.Name, err)
	}
	if secret == "" {
		return credentials.Notify(cmd, "Public client %s: it has no secret and must use PKCE.\n", registered.ClientID())
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), secret); err != nil {
		return fmt.Errorf("the secret of %s is stored but could not be printed: rotate it: %w", registered.Name, err)
	}
	return credentials.Notify(cmd, "Client id and secret of %s: this is the only time that the secret is shown.\n",
		registered.Spec.DisplayName)
}

func newOAuthClientsRotateCommand() *cobra.Command {
	var (
		output  string
		cell    credential.Cell
		overlap time.Duration
	)
	cmd := &cobra.Command{
		Use:   "rotate CLIENT_ID",
		Short: "Give a client a new secret and print it, once",
		Long: `Give a client a new secret and print its client id and the secret on stdout. This is the only time that the secret is shown.
The previous secret works for the time of --overlap, and until the next rotation at the most, so that you can roll out the new one
without an outage. After a leak, use --overlap=0.

With -o yaml the command changes nothing. It prints the manifest with the hash of the new secret, which you may commit to
Git, on stdout and the rest on stderr.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return rotateClient(cmd, args[0], output, cell, overlap)
		},
	}
	credentials.AddCell(cmd.Flags(), &cell)
	cmd.Flags().DurationVar(&overlap, "overlap", oauth.DefaultOverlap, "how long the previous secret works; 0 ends it at once")
	cmd.Flags().StringVarP(&output, "output", "o", "", "print the manifest instead of changing the client: yaml")
	return cmd
}

func rotateClient(cmd *cobra.Command, clientID, output string, cell credential.Cell, overlap time.Duration) error {
	name, ok := oauth.ClientName(clientID)
	if !ok {
		return credentials.Usage("this is not a client id")
	}
	if err := checkOutput(output); err != nil {
		return err
	}
	if overlap < 0 {
		return credentials.Usage("--overlap must be a time from now")
	}
	store, err := credentialSource().Open(cmd)
	if err != nil {
		return err
	}
	registry := oauth.NewRegistry(store, cell, clock.RealClock{})
	rotate, show := registry.Rotate, showSecret
	if output != "" {
		rotate, show = registry.PrepareRotation, printManifest
	}
	registered, secret, err := rotate(cmd.Context(), name, overlap)
	if errors.Is(err, oauth.ErrUnknownClient) {
		return fmt.Errorf("there is no client %s", clientID)
	}
	if err != nil {
		return err
	}
	return show(cmd, registered, secret)
}

func checkOutput(output string) error {
	if output != "" && output != "yaml" {
		return credentials.Usage("--output must be yaml, not %q", output)
	}
	return nil
}
