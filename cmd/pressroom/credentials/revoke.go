package credentials

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// revokeFlags are the flags of `pressroom keys revoke`.
type revokeFlags struct {
	keepGrants bool
	source     Source
}

func newRevokeCommand(source Source) *cobra.Command {
	f := &revokeFlags{source: source}
	cmd := &cobra.Command{
		Use:   "revoke ID...",
		Short: "Revoke API keys: they stop working within a second or two",
		Long: `Revoke API keys by their ids, or by the whole keys. They stop working as soon as every replica of the REST API has seen
it, and so
do the tokens that people who signed in with them have granted to apps.

With --keep-grants, for a rotation, those tokens go on until they expire: the key expires now and is not deleted. Revoke it again
without the flag to end them. After a leak, do not keep them.

If the manifest of a key is in Git, remove it there too, or set spec.expirationTime; otherwise the key comes back.`,
		Args: cobra.MinimumNArgs(1),
		RunE: f.run,
	}
	cmd.Flags().BoolVar(&f.keepGrants, "keep-grants", false, "let the tokens go on that were granted with the keys")
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

// revoke ends a key first, and then says what becomes of its grants: a key that has leaked must end even if they cannot be counted.
func (f *revokeFlags) revoke(cmd *cobra.Command, store client.Client, id string) error {
	key, now := &v1alpha1.APIKey{}, f.source.Clock.Now()
	key.Name = id
	end := func() error { return store.Delete(cmd.Context(), key) }
	if f.keepGrants {
		end = func() error { return expire(cmd, store, key, now) }
	}
	if err := end(); err != nil {
		if apierrors.IsNotFound(err) {
			return fmt.Errorf("there is no API key %s", id)
		}
		return fmt.Errorf("revoking %s: %w", id, err)
	}
	grants, err := grantsOf(cmd, store, id, now)
	if err != nil {
		return fmt.Errorf("API key %s is revoked, but its grants could not be counted: %w", id, err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "API key %s is revoked\n%s", id, f.fate(cmd.CommandPath(), id, grants))
	return err
}

// fate says what becomes of the grants that were given with a key. command is what a person types to revoke it.
func (f *revokeFlags) fate(command, id string, grants int) string {
	count := fmt.Sprintf("%d grants were given with it", grants)
	if grants == 1 {
		count = "1 grant was given with it"
	}
	switch {
	case grants == 0:
		return "No access of an app was granted with it.\n"
	case f.keepGrants:
		return count + " and kept: access goes on until it expires. To end it: " + command + " " + id + "\n"
	default:
		return count + ": that access has ended, with the event subscriptions that the apps made.\n"
	}
}

// expire ends a key and keeps its object, on which the grants stand: an expired key ends nothing that was granted with it.
func expire(cmd *cobra.Command, store client.Client, key *v1alpha1.APIKey, now time.Time) error {
	if err := store.Get(cmd.Context(), client.ObjectKeyFromObject(key), key); err != nil {
		return err
	}
	if at := key.Spec.ExpirationTime; at != nil && !at.After(now) {
		return nil
	}
	old := key.DeepCopy()
	key.Spec.ExpirationTime = &metav1.Time{Time: now.UTC().Truncate(time.Second)}
	return store.Patch(cmd.Context(), key, client.MergeFrom(old))
}

// grantsOf counts the grants that were given with a key and that had not ended before.
func grantsOf(cmd *cobra.Command, store client.Client, id string, now time.Time) (int, error) {
	count, next := 0, ""
	for {
		var page v1alpha1.OAuthGrantList
		if err := store.List(cmd.Context(), &page, client.Limit(listPage), client.Continue(next)); err != nil {
			return 0, err
		}
		for _, g := range page.Items {
			expires := g.Status.TokenExpirationTime
			valid := g.Status.RevocationTime == nil && expires != nil && now.Before(expires.Time)
			if valid && g.Spec.Person == grant.PersonOfKey(id) {
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
