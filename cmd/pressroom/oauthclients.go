package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

func newOAuthClientsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "oauth-clients",
		Short: "Register apps that ask for access over OAuth 2.0, and change their secrets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newOAuthClientsCreateCommand(), newOAuthClientsRotateCommand())
	return cmd
}

// oauthClientsCreateFlags are the flags of `pressroom oauth-clients create`.
type oauthClientsCreateFlags struct {
	name, account, output  string
	redirectURIs, scopes   []string
	contacts               []string
	public, anyPort        bool
	logo, home, law, terms string
}

func newOAuthClientsCreateCommand() *cobra.Command {
	f := &oauthClientsCreateFlags{}
	cmd := &cobra.Command{
		Use:   "create --name NAME --redirect-uri URI",
		Short: "Register an app and print its secret, once",
		Long: `Register an app and print its client id and its secret on stdout. This is the only time that the secret is shown: what is
stored is its hash. A public app has no secret.

With -o yaml nothing is created: the manifest, which may be committed to Git, is printed on stdout and the rest on stderr.`,
		Example: `  pressroom oauth-clients create --name "Newsletter tool" --redirect-uri https://tool.example/callback
  pressroom oauth-clients create --name "Desktop tool" --redirect-uri http://127.0.0.1/callback \
    --public --any-loopback-port -o yaml > app.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "", "the app's name as people know it (required)")
	flags.StringArrayVar(&f.redirectURIs, "redirect-uri", nil, "where people may be sent back to; may come up to 20 times (required)")
	flags.StringSliceVar(&f.scopes, "scopes", []string{"read", "write"}, "what the app may ask for: read, write, approve")
	flags.StringVar(&f.account, "account", "", "account that may change the app over the REST API; nobody where empty")
	flags.BoolVar(&f.public, "public", false, "the app cannot keep a secret: it gets none, and must use PKCE")
	flags.BoolVar(&f.anyPort, "any-loopback-port", false, "redirect URIs on 127.0.0.1 and [::1] may have any port")
	flags.StringVar(&f.logo, "logo-url", "", "https address of the app's logo")
	flags.StringVar(&f.home, "home-url", "", "https address of the app's own site")
	flags.StringVar(&f.law, "policy-url", "", "https address of the app's privacy policy")
	flags.StringVar(&f.terms, "terms-url", "", "https address of the app's terms of service")
	flags.StringSliceVar(&f.contacts, "contacts", nil, "e-mail addresses of those who run the app")
	flags.StringVarP(&f.output, "output", "o", "", "print the manifest in place of creating it: yaml")
	return cmd
}

// spec checks the flags and says what the app is.
func (f *oauthClientsCreateFlags) spec() (v1alpha1.OAuthClientSpec, error) {
	spec := v1alpha1.OAuthClientSpec{
		DisplayName: f.name, RedirectURIs: f.redirectURIs, Type: v1alpha1.OAuthClientConfidential,
		LoopbackPort: v1alpha1.LoopbackPortRegistered, LogoURL: f.logo, HomeURL: f.home, PolicyURL: f.law, TermsURL: f.terms,
		Contacts: f.contacts,
	}
	if f.name == "" {
		return spec, usage("--name must say what people call the app")
	}
	if len(f.redirectURIs) == 0 {
		return spec, usage("--redirect-uri must come at least once")
	}
	for _, uri := range f.redirectURIs {
		if err := oauth.CheckRedirect(&v1alpha1.OAuthClient{Spec: spec}, uri); err != nil {
			return spec, usage("--redirect-uri must be https, or http on 127.0.0.1 or [::1], without a fragment, not %q", uri)
		}
	}
	if err := checkOutput(f.output); err != nil {
		return spec, err
	}
	if f.account != "" {
		if problems := validation.IsDNS1123Label(f.account); len(problems) > 0 {
			return spec, usage("--account must name an account, not %q", f.account)
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
	spec.Scopes, err = parseScopes(slices.Clone(f.scopes))
	return spec, err
}

func (f *oauthClientsCreateFlags) run(cmd *cobra.Command) error {
	namespace, err := systemNamespace(cmd)
	if err != nil {
		return err
	}
	spec, err := f.spec()
	if err != nil {
		return err
	}
	if f.output != "" {
		app, secret, err := oauth.NewRegistry(nil, namespace).Prepare(spec)
		if err != nil {
			return err
		}
		return printManifest(cmd, app, secret)
	}
	store, err := openKeyStore(cmd)
	if err != nil {
		return err
	}
	if f.account != "" {
		err := store.Get(cmd.Context(), client.ObjectKey{Name: f.account}, &v1alpha1.Account{})
		if apierrors.IsNotFound(err) {
			return fmt.Errorf("there is no account %q", f.account)
		}
		if err != nil {
			return fmt.Errorf("looking for the account: %w", err)
		}
	}
	app, secret, err := oauth.NewRegistry(store, namespace).Create(cmd.Context(), spec)
	if err != nil {
		return err
	}
	return showSecret(cmd, app, secret)
}

// printManifest shows the manifest for Git on stdout, and the secret on stderr.
func printManifest(cmd *cobra.Command, app *v1alpha1.OAuthClient, secret string) error {
	manifest, err := yaml.Marshal(app)
	if err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	if err := tell(cmd, "client id: %s\n", app.ClientID()); err != nil {
		return err
	}
	if secret != "" {
		err := tell(cmd,
			"client secret: %s\nThis is the only time that the secret is shown. It works once the manifest is applied.\n", secret)
		if err != nil {
			return err
		}
	}
	_, err = cmd.OutOrStdout().Write(manifest)
	return err
}

// showSecret prints what an app needs, for programs on stdout and for the person on stderr.
func showSecret(cmd *cobra.Command, app *v1alpha1.OAuthClient, secret string) error {
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), app.ClientID()); err != nil {
		return fmt.Errorf("the app %s is stored but could not be shown: %w", app.Name, err)
	}
	if secret == "" {
		return tell(cmd, "Public app %s: it has no secret and must use PKCE.\n", app.ClientID())
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), secret); err != nil {
		return fmt.Errorf("the secret of %s is stored but could not be shown: rotate it: %w", app.Name, err)
	}
	return tell(cmd, "Client id and secret of the app %s: this is the only time that the secret is shown.\n", app.Spec.DisplayName)
}

func newOAuthClientsRotateCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "rotate CLIENT_ID",
		Short: "Give an app a new secret and print it, once",
		Long: `Give an app a new secret and print its client id and the secret on stdout. This is the only time that the secret is shown.
The secret before it works until the next time, so that the new one can be rolled out without an outage.

With -o yaml nothing is changed: the manifest with the hash of the new secret, which may be committed to Git, is printed on
stdout and the rest on stderr.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return rotateApp(cmd, args[0], output) },
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "print the manifest in place of changing the app: yaml")
	return cmd
}

func rotateApp(cmd *cobra.Command, clientID, output string) error {
	name, ok := oauth.ClientName(clientID)
	if !ok {
		return usage("this is not a client id")
	}
	if err := checkOutput(output); err != nil {
		return err
	}
	store, err := openKeyStore(cmd)
	if err != nil {
		return err
	}
	registry := oauth.NewRegistry(store, store.namespace)
	rotate, show := registry.Rotate, showSecret
	if output != "" {
		rotate, show = registry.PrepareRotation, printManifest
	}
	app, secret, err := rotate(cmd.Context(), name)
	if errors.Is(err, oauth.ErrUnknownClient) {
		return fmt.Errorf("there is no app %s", clientID)
	}
	if err != nil {
		return err
	}
	return show(cmd, app, secret)
}

// checkOutput finds fault with the flag --output.
func checkOutput(output string) error {
	if output != "" && output != "yaml" {
		return usage("--output must be yaml, not %q", output)
	}
	return nil
}
