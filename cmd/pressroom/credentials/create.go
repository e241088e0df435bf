package credentials

import (
	"crypto/rand"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/access"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// createFlags are the flags of `pressroom keys create`.
type createFlags struct {
	account, name, output string
	scopes, workspaces    []string
	expiresIn             time.Duration
	creditsPerDay         int32
	cell                  credential.Cell
	// forAgent makes a key for an agent, which reaches the REST API at baseURL.
	forAgent bool
	baseURL  string
}

// Names of flags.
const (
	flagName          = "name"
	flagExpiresIn     = "expires-in"
	flagCreditsPerDay = "credits-per-day"
	flagBaseURL       = "base-url"
)

// unlimited is the value of --credits-per-day for a key without a limit.
const unlimited = -1

func newCreateCommand(source Source) *cobra.Command {
	f := &createFlags{}
	cmd := &cobra.Command{
		Use:   "create --account ACCOUNT",
		Short: "Create an API key and print it, once",
		Long: `Create an API key and print it on stdout. This is the only time that it is shown: only its hash is stored.

With -o the command creates nothing. It prints the manifest, which you may commit to Git, on stdout and the key on stderr.

With --for-agent the key is for an agent that uses /mcp: it has read and write, is limited to the one workspace of --workspaces, works for
90 days and takes 20 credits a day, unless --expires-in and --credits-per-day say otherwise. It never has approve or manage. The
configuration of Claude Code, VS Code and kagent follows on stderr, without the key.`,
		Example: `  pressroom keys create --account acme --scopes read,write --name "newsletter tool"
  pressroom keys create --account acme --workspaces acme-blog --expires-in 720h -o yaml > key.yaml
  pressroom keys create --account acme --workspaces acme-blog --for-agent --name "Claude Code" --base-url https://api.example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, source) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.account, "account", "", "account that the key belongs to (required)")
	flags.StringSliceVar(&f.scopes, "scopes", []string{"read", "write"}, "what the key may do: read, write, approve, manage")
	flags.StringVar(&f.name, flagName, "", "who or what uses the key; recorded as the reviewer of what it approves")
	flags.StringSliceVar(&f.workspaces, "workspaces", nil, "workspaces that the key is limited to; all workspaces of the account if empty")
	AddCell(flags, &f.cell)
	flags.DurationVar(&f.expiresIn, flagExpiresIn, 0, "how long the key works, such as 720h; forever if 0")
	flags.Int32Var(&f.creditsPerDay, flagCreditsPerDay, unlimited,
		"how many credits the key may take in a UTC day; any number if -1")
	flags.BoolVar(&f.forAgent, "for-agent", false, "make a key for an agent, and print the configuration of clients of /mcp")
	flags.StringVar(&f.baseURL, flagBaseURL, "",
		"with --for-agent, address of the REST API; https://pressroom.example.com as a placeholder if empty")
	flags.StringVarP(&f.output, "output", "o", "", "print the manifest instead of creating the key: yaml or json")
	return cmd
}

func (f *createFlags) run(cmd *cobra.Command, source Source) error {
	if err := f.forAgents(cmd); err != nil {
		return err
	}
	spec, err := f.spec(source.Clock.Now())
	if err != nil {
		return err
	}
	key, c, err := access.NewKey(f.cell, "", spec, rand.Reader)
	if err != nil {
		return err
	}
	if f.output != "" {
		err = f.print(cmd, key, c)
	} else {
		err = f.create(cmd, source, key, c)
	}
	if err != nil || !f.forAgent {
		return err
	}
	return f.notifyAgent(cmd)
}

// create stores the key and prints it.
func (f *createFlags) create(cmd *cobra.Command, source Source, key *v1alpha1.APIKey, c credential.Credential) error {
	store, err := source.Open(cmd)
	if err != nil {
		return err
	}
	account, err := Account(cmd, store, f.account)
	if err != nil {
		return err
	}
	if err := roomForKey(cmd, store, account); err != nil {
		return err
	}
	if err := store.Create(cmd.Context(), key); err != nil {
		return fmt.Errorf("storing the key's hash: %w", err)
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), c.Reveal()); err != nil {
		return fmt.Errorf("the key %s is stored but could not be printed: revoke it: %w", key.Name, err)
	}
	return Notify(cmd, "API key %s of account %s: this is the only time it is shown.\n", key.Name, f.account)
}

// roomForKey returns an error if the account has as many keys as it may.
func roomForKey(cmd *cobra.Command, store client.Client, account *v1alpha1.Account) error {
	keys, err := access.KeysOf(cmd.Context(), store, account.Name)
	if err != nil {
		return err
	}
	if most := account.Spec.Limits.MostAPIKeys(); int64(len(keys)) >= most {
		const format = "the account %s has %d API keys and may have %d: revoke one, or raise spec.limits.apiKeys of the account"
		return fmt.Errorf(format, account.Name, len(keys), most)
	}
	return nil
}

// print prints the manifest and the key, and stores nothing.
func (f *createFlags) print(cmd *cobra.Command, key *v1alpha1.APIKey, c credential.Credential) error {
	manifest, err := encode(key, f.output)
	if err != nil {
		return err
	}
	err = Notify(cmd, "%s\nThis is the only time that the key is shown. It works once the manifest is applied.\n", c.Reveal())
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(manifest)
	return err
}
