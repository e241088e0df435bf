package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/duration"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func newKeysListCommand(tools keyTools) *cobra.Command {
	var account string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List API keys; their secrets are stored nowhere",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return listKeys(cmd, tools, account) },
	}
	cmd.Flags().StringVar(&account, "account", "", "only the keys of this account")
	return cmd
}

func listKeys(cmd *cobra.Command, tools keyTools, account string) error {
	store, err := openKeyStore(cmd)
	if err != nil {
		return err
	}
	list := &v1alpha1.APIKeyList{}
	if err := store.List(cmd.Context(), list, client.InNamespace(store.namespace)); err != nil {
		return fmt.Errorf("listing keys: %w", err)
	}
	keys := slices.DeleteFunc(list.Items, func(k v1alpha1.APIKey) bool {
		return account != "" && k.Spec.AccountRef.Name != account
	})
	slices.SortFunc(keys, func(a, b v1alpha1.APIKey) int {
		return cmp.Or(strings.Compare(a.Spec.AccountRef.Name, b.Spec.AccountRef.Name),
			a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
	})
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 3, ' ', 0)
	if _, err := fmt.Fprintln(table, "ID\tACCOUNT\tSCOPES\tWORKSPACES\tNAME\tEXPIRES\tAGE"); err != nil {
		return err
	}
	now := tools.clock.Now()
	for i := range keys {
		if _, err := fmt.Fprintln(table, row(&keys[i], now)); err != nil {
			return err
		}
	}
	return table.Flush()
}

// row is a key's line of the table.
func row(k *v1alpha1.APIKey, now time.Time) string {
	scopes := make([]string, 0, len(k.Spec.Scopes))
	for _, s := range k.Spec.Scopes {
		scopes = append(scopes, strings.ToLower(string(s)))
	}
	return strings.Join([]string{
		k.Name, k.Spec.AccountRef.Name, strings.Join(scopes, ","), orDash(strings.Join(k.Spec.Workspaces, ",")),
		orDash(printable(k.Spec.DisplayName)), expiry(k, now), duration.HumanDuration(now.Sub(k.CreationTimestamp.Time)),
	}, "\t")
}

func expiry(k *v1alpha1.APIKey, now time.Time) string {
	switch at := k.Spec.ExpiresAt; {
	case at == nil:
		return "never"
	case !now.Before(at.Time):
		return "expired"
	default:
		return at.UTC().Format(time.RFC3339)
	}
}

// printable takes out what would move the terminal's cursor or the table's columns: anybody may name a key.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
}

func orDash(s string) string { return cmp.Or(s, "-") }
