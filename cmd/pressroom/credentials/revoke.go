package credentials

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// revokeFlags are the flags of `pressroom keys revoke`.
type revokeFlags struct {
	keepMade bool
	source   Source
}

func newRevokeCommand(source Source) *cobra.Command {
	f := &revokeFlags{source: source}
	cmd := &cobra.Command{
		Use:   "revoke ID...",
		Short: "Revoke API keys: they stop working within a second or two",
		Long: `Revoke API keys by their ids, or by the whole keys. They stop working as soon as every replica of the REST API has seen
it, and so
do the API keys, OAuth clients and event subscriptions that were made with them, and the tokens that people who signed in with them have
granted to apps. "keys made" lists these before.

With --keep-made, for a rotation, all that goes on: the key expires now and is not deleted. Revoke it again without the flag to end
it. After a leak, do not keep it.

If the manifest of a key is in Git, remove it there too, or set spec.expirationTime; otherwise the key comes back.`,
		Args: cobra.MinimumNArgs(1),
		RunE: f.run,
	}
	cmd.Flags().BoolVar(&f.keepMade, "keep-made", false,
		"let go on what was made with the keys, and the tokens that were granted with them")
	return cmd
}

func (f *revokeFlags) run(cmd *cobra.Command, args []string) error {
	ids := make([]string, 0, len(args))
	for _, arg := range args {
		id, err := keyID(arg)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	store, err := f.source.Open(cmd)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range ids {
		failed = append(failed, f.revoke(cmd, store, id))
	}
	return errors.Join(failed...)
}

// revoke lists what stands on a key, and ends the key: one that has leaked must end even if that cannot be listed.
func (f *revokeFlags) revoke(cmd *cobra.Command, store client.Client, id string) error {
	key, now := &v1alpha1.APIKey{}, f.source.Clock.Now()
	err := store.Get(cmd.Context(), client.ObjectKey{Name: id}, key)
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("there is no API key %s", id)
	}
	key.Name = id
	var all []string
	if err == nil {
		maker := v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: id}
		all, err = standing(cmd, store, key.Spec.AccountRef.Name, maker, now)
	}
	end := func() error { return store.Delete(cmd.Context(), key) }
	if f.keepMade {
		end = func() error { return expire(cmd, store, key, now) }
	}
	if err := end(); err != nil {
		return fmt.Errorf("revoking %s: %w", id, err)
	}
	if err != nil {
		return fmt.Errorf("API key %s is revoked, but what was made with it could not be listed: %w", id, err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "API key %s is revoked\n%s", id, f.fate(cmd.CommandPath(), id, all))
	return err
}

// fate says what becomes of what was made with a key. command is what a person types to revoke it.
func (f *revokeFlags) fate(command, id string, lines []string) string {
	switch {
	case len(lines) == 0:
		return "Nothing was made with it.\n"
	case f.keepMade:
		return "This was made with it and goes on. To end it: " + command + " " + id + "\n" + indented(lines)
	default:
		return "This was made with it and ends within a second or two:\n" + indented(lines)
	}
}

// expire ends a key and keeps its object, on which all stands that was made with it: an expired key ends nothing of it.
func expire(cmd *cobra.Command, store client.Client, key *v1alpha1.APIKey, now time.Time) error {
	if err := store.Get(cmd.Context(), client.ObjectKeyFromObject(key), key); err != nil {
		return err
	}
	if at := key.Spec.ExpirationTime; at != nil && !at.After(now) {
		return nil
	}
	old := key.DeepCopy()
	key.Spec.ExpirationTime = &v1alpha1.Time{Time: now.UTC().Truncate(time.Second)}
	return store.Patch(cmd.Context(), key, client.MergeFrom(old))
}

// keyID returns the id of a key that is given by its id or in full. The error does not repeat the argument, which may be most
// of a key.
func keyID(given string) (string, error) {
	if credential.IsID(given) {
		return given, nil
	}
	c, err := credential.Parse(given)
	if err != nil || c.Type != credential.APIKey {
		return "", Usage("this is neither the id of an API key nor an API key")
	}
	return c.ID, nil
}
