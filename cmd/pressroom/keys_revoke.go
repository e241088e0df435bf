package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

func newKeysRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID...",
		Short: "Revoke API keys: they stop working within a second or two",
		Long: `Revoke API keys by their ids, or by the whole keys. They stop working as soon as every replica of the REST API has seen it.

If the manifest of a key is in Git, remove it there too; otherwise the key comes back.`,
		Args: cobra.MinimumNArgs(1),
		RunE: revokeKeys,
	}
}

func revokeKeys(cmd *cobra.Command, args []string) error {
	ids := make([]string, 0, len(args))
	for _, arg := range args {
		id, err := keyID(arg)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	store, err := openSystemStore(cmd)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range ids {
		failed = append(failed, store.revoke(cmd, id))
	}
	return errors.Join(failed...)
}

func (s *systemStore) revoke(cmd *cobra.Command, id string) error {
	key := &v1alpha1.APIKey{}
	key.Namespace, key.Name = s.namespace, id
	if err := s.Delete(cmd.Context(), key); err != nil {
		if apierrors.IsNotFound(err) {
			return fmt.Errorf("there is no API key %s", id)
		}
		return fmt.Errorf("revoking %s: %w", id, err)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "API key %s is revoked\n", id)
	return err
}

// keyID returns the id of a key that is given by its id or in full. The error does not repeat the argument, which may be most
// of a key.
func keyID(given string) (string, error) {
	if credential.IsID(given) {
		return given, nil
	}
	c, err := credential.Parse(given)
	if err != nil || c.Type != credential.APIKey {
		return "", usage("this is neither the id of an API key nor an API key")
	}
	return c.ID, nil
}
