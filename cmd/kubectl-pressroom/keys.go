package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/rest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/cmd/pressroom/credentials"
	"github.com/pressroom-dev/pressroom/internal/listing"
	"github.com/pressroom-dev/pressroom/internal/table"
)

func (e *environment) newKeysCommand() *cobra.Command {
	list := e.newListKeysCommand()
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List API keys and whether they work, create and revoke them",
		Long:  `List API keys and whether they work, create and revoke them. Without a subcommand, it is keys list.`,
		Example: `  kubectl pressroom keys
  kubectl pressroom keys --account acme -o yaml`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              list.RunE,
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list)
	e.addKeysCommands(cmd)
	return cmd
}

func (e *environment) newListKeysCommand() *cobra.Command {
	var account string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List API keys, and whether they work",
		Long: `List API keys, and whether they work. The keys themselves are nowhere: the cluster has their hashes.

It needs the verb list on apikeys.pressroom.dev, which are cluster-scoped.`,
		Example:           `  kubectl pressroom keys list --account acme -o yaml`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVar(&account, "account", "", "only the keys of this Account")
	out := newOutput(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := e.connect()
		if err != nil {
			return err
		}
		var keys []*v1alpha1.APIKey
		keep := func(k *v1alpha1.APIKey) {
			if account == "" || k.Spec.AccountRef.Name == account {
				keys = append(keys, k.DeepCopy())
			}
		}
		if err := listing.Each(cmd.Context(), s, &v1alpha1.APIKeyList{}, keep); err != nil {
			return err
		}
		if len(keys) == 0 && !out.asked() {
			fmt.Fprintln(e.ErrOut, "No API keys found.")
			return nil
		}
		if !out.asked() {
			return table.Write(e.Out, keyColumns, keyRows(keys, e.clock.Now()))
		}
		return printList(out, keys, s.Scheme(), e.Out)
	}
	return cmd
}

// addKeysCommands adds the commands that create and revoke keys, which are those of the program pressroom.
func (e *environment) addKeysCommands(keys *cobra.Command) {
	source := credentials.Source{
		Config: func(*cobra.Command) (*rest.Config, error) { return e.config() },
		Clock:  e.clock,
	}
	for _, cmd := range credentials.NewKeysCommands(source) {
		cmd.Example = strings.ReplaceAll(cmd.Example, "pressroom keys", "kubectl pressroom keys")
		keys.AddCommand(cmd)
	}
}

var keyColumns = []string{"ID", "Account", "Scopes", "Workspaces", "Name", "State", "Expires", "Age"}

func keyRows(keys []*v1alpha1.APIKey, now time.Time) [][]any {
	rows := make([][]any, 0, len(keys))
	for _, k := range keys {
		scopes := make([]string, 0, len(k.Spec.Scopes))
		for _, scope := range k.Spec.Scopes {
			scopes = append(scopes, strings.ToLower(string(scope)))
		}
		workspaces, expires := "all", "never"
		if len(k.Spec.Workspaces) > 0 {
			workspaces = strings.Join(k.Spec.Workspaces, ",")
		}
		if k.Spec.ExpirationTime != nil {
			expires = k.Spec.ExpirationTime.UTC().Format(time.RFC3339)
		}
		rows = append(rows, []any{
			k.Name, k.Spec.AccountRef.Name, strings.Join(scopes, ","), workspaces, k.Spec.DisplayName,
			verdict(k.Status.Conditions, v1alpha1.ConditionReady), expires, duration.HumanDuration(now.Sub(k.CreationTimestamp.Time)),
		})
	}
	return rows
}
