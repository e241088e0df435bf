package credentials

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/access"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

func newMadeCommand(source Source) *cobra.Command {
	var (
		account string
		end     bool
	)
	cmd := &cobra.Command{
		Use:   "made --account ACCOUNT MAKER",
		Short: "List what was made with an API key, or by a member, over the REST API",
		Long: `List the API keys, OAuth clients and event subscriptions that were made with an API key, given by its id, or by a member,
given by the e-mail address, and how many grants of theirs open something.

What was made with a key ends with it. What a member made goes on when the membership ends: --end deletes it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if account == "" {
				return Usage("--account is required")
			}
			store, err := source.Open(cmd)
			if err != nil {
				return err
			}
			maker := makerOf(args[0])
			lines, err := standing(cmd, store, account, maker, source.Clock.Now())
			if err != nil {
				return err
			}
			if len(lines) == 0 {
				lines = []string{"Nothing."}
			}
			if _, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n")); err != nil || !end {
				return err
			}
			return deleteCreated(cmd, store, account, maker)
		},
	}
	cmd.Flags().StringVar(&account, "account", "", "account that it belongs to (required)")
	cmd.Flags().BoolVar(&end, "end", false, "delete the keys, OAuth clients and event subscriptions")
	return cmd
}

func makerOf(given string) v1alpha1.CreatorReference {
	if id, err := keyID(given); err == nil {
		return v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: id}
	}
	return v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: strings.ToLower(given)}
}

// deleteCreated deletes the objects that maker has created.
func deleteCreated(cmd *cobra.Command, store client.Client, account string, maker v1alpha1.CreatorReference) error {
	all, err := createdBy(cmd, store, account, maker)
	if err != nil {
		return err
	}
	var failed []error
	for _, o := range all.All() {
		failed = append(failed, client.IgnoreNotFound(store.Delete(cmd.Context(), o)))
	}
	return errors.Join(failed...)
}

func createdBy(cmd *cobra.Command, store client.Client, account string, maker v1alpha1.CreatorReference) (access.Objects, error) {
	var namespaces corev1.NamespaceList
	if err := store.List(cmd.Context(), &namespaces, client.MatchingLabels{v1alpha1.AccountLabel: account}); err != nil {
		return access.Objects{}, fmt.Errorf("listing the workspaces of the account: %w", err)
	}
	var workspaces []string
	for i := range namespaces.Items {
		workspaces = append(workspaces, namespaces.Items[i].Name)
	}
	return access.CreatedBy(cmd.Context(), store, account, workspaces, maker)
}

// standing says in a line each what somebody has made, and how many grants of theirs open something.
func standing(
	cmd *cobra.Command, store client.Client, account string, maker v1alpha1.CreatorReference, now time.Time,
) (lines []string, err error) {
	all, err := createdBy(cmd, store, account, maker)
	if err != nil {
		return nil, err
	}
	for _, k := range all.Keys {
		lines = append(lines, fmt.Sprintf("API key %s  %q", k.Name, k.Spec.DisplayName))
	}
	for _, c := range all.Clients {
		lines = append(lines, fmt.Sprintf("OAuth client %s  %q", c.ClientID(), c.Spec.DisplayName))
	}
	for _, s := range all.Subscriptions {
		lines = append(lines, fmt.Sprintf("event subscription %s/%s  %q", s.Namespace, s.Name, s.Spec.URL))
	}
	persons := map[string]bool{maker.Name: true}
	if maker.Kind == v1alpha1.CreatorAPIKey {
		persons = map[string]bool{grant.PersonOfKey(maker.Name): true}
	}
	for _, k := range all.Keys {
		persons[grant.PersonOfKey(k.Name)] = true
	}
	switch grants, err := grantsOf(cmd, store, account, persons, now); {
	case err != nil:
		return nil, err
	case grants == 1:
		lines = append(lines, "1 grant to an app")
	case grants > 1:
		lines = append(lines, fmt.Sprintf("%d grants to apps", grants))
	}
	return lines, nil
}

// grantsOf counts the grants of people that have not ended.
func grantsOf(cmd *cobra.Command, store client.Client, account string, persons map[string]bool, now time.Time) (int, error) {
	count, next := 0, ""
	for {
		var page v1alpha1.OAuthGrantList
		if err := store.List(cmd.Context(), &page, client.Limit(listPage), client.Continue(next)); err != nil {
			return 0, err
		}
		for _, g := range page.Items {
			if auth.TokenValid(&g, now) && persons[g.Spec.Person] && g.Spec.AccountRef.Name == account {
				count++
			}
		}
		if next = page.Continue; next == "" {
			return count, nil
		}
	}
}

// listPage bounds one answer of kube-apiserver.
const listPage = 500

func indented(lines []string) string { return "  " + strings.Join(lines, "\n  ") + "\n" }
