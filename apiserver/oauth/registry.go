package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/rotation"
)

// Registry registers clients. It makes their secrets and stores only hashes of them.
type Registry struct {
	client client.Client
	cell   credential.Cell
	clock  clock.PassiveClock
}

// NewRegistry returns the registry of the installation with this code. The client reads and writes without a cache.
func NewRegistry(c client.Client, cell credential.Cell, now clock.PassiveClock) *Registry {
	return &Registry{client: c, cell: cell, clock: now}
}

// Prepare makes a client, and a secret if it is a confidential one, without storing it. The secret is only in what it returns. The name of
// the client is random, or a function of a name: of two clients that are made under one name, only one can be stored.
func (r *Registry) Prepare(name string, spec v1alpha1.OAuthClientSpec) (oauthClient *v1alpha1.OAuthClient, secret string, err error) {
	c, err := credential.NewNamed(credential.ClientSecret, r.cell, name, rand.Reader)
	if err != nil {
		return nil, "", fmt.Errorf("making a client secret: %w", err)
	}
	oauthClient = &v1alpha1.OAuthClient{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient"},
		ObjectMeta: metav1.ObjectMeta{Name: c.ID},
		Spec:       spec,
	}
	oauthClient.Spec.Secrets = nil
	if spec.Type == v1alpha1.OAuthClientPublic {
		return oauthClient, "", nil
	}
	oauthClient.Spec.Secrets = []v1alpha1.OAuthClientSecret{{Hash: c.Hash()}}
	return oauthClient, c.Reveal(), nil
}

// Store registers a client that was prepared.
func (r *Registry) Store(ctx context.Context, oauthClient *v1alpha1.OAuthClient) error {
	if err := r.client.Create(ctx, oauthClient); err != nil {
		return fmt.Errorf("registering the client: %w", err)
	}
	return nil
}

// DefaultOverlap is how long the previous secret works after a rotation, if the caller sets no other time.
const DefaultOverlap = 7 * 24 * time.Hour

// Rotate gives a client a new secret, which replaces the older one if it has two. The newer one keeps working for the overlap, so that
// there is no outage while the new secret is rolled out; without an overlap it ends at once.
func (r *Registry) Rotate(ctx context.Context, name string, overlap time.Duration) (*v1alpha1.OAuthClient, string, error) {
	return r.RotateOnce(ctx, name, overlap, "", func(*v1alpha1.OAuthClient) error { return nil })
}

// RotateOnce is Rotate for a request that has a name. It returns rotation.ErrRepeated if the client remembers the request, and the error
// of check if the client may not be changed as it is.
func (r *Registry) RotateOnce(
	ctx context.Context, name string, overlap time.Duration, request string, check func(*v1alpha1.OAuthClient) error,
) (*v1alpha1.OAuthClient, string, error) {
	var oauthClient *v1alpha1.OAuthClient
	var secret string
	// Under the resourceVersion that was read: otherwise two rotations at once could drop a secret that was just shown.
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() (err error) {
		var old *v1alpha1.OAuthClient
		if old, oauthClient, secret, err = r.renewed(ctx, name, overlap); err != nil {
			return err
		}
		if rotation.Repeated(old, request) {
			return rotation.ErrRepeated
		}
		if err := check(old); err != nil {
			return err
		}
		rotation.Remember(oauthClient, request)
		return r.client.Patch(ctx, oauthClient, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}))
	})
	switch {
	case errors.Is(err, ErrUnknownClient), errors.Is(err, ErrPublic), errors.Is(err, rotation.ErrRepeated):
		return nil, "", err
	case err != nil:
		return nil, "", fmt.Errorf("changing the secret: %w", err)
	}
	return oauthClient, secret, nil
}

// PrepareRotation is Rotate without storing: it returns the client as a manifest for Git.
func (r *Registry) PrepareRotation(ctx context.Context, name string, overlap time.Duration) (*v1alpha1.OAuthClient, string, error) {
	_, oauthClient, secret, err := r.renewed(ctx, name, overlap)
	if err != nil {
		return nil, "", err
	}
	return &v1alpha1.OAuthClient{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient"},
		ObjectMeta: metav1.ObjectMeta{Name: oauthClient.Name, Labels: oauthClient.Labels},
		Spec:       oauthClient.Spec,
	}, secret, nil
}

// renewed reads a client, and returns it as it was and with a new secret.
func (r *Registry) renewed(
	ctx context.Context, name string, overlap time.Duration,
) (old, oauthClient *v1alpha1.OAuthClient, secret string, err error) {
	if oauthClient, err = r.get(ctx, name); err != nil {
		return nil, nil, "", err
	}
	if oauthClient.Spec.Type == v1alpha1.OAuthClientPublic {
		return nil, nil, "", ErrPublic
	}
	c, err := credential.New(credential.ClientSecret, r.cell, rand.Reader)
	if err != nil {
		return nil, nil, "", fmt.Errorf("making a client secret: %w", err)
	}
	old = oauthClient.DeepCopy()
	oauthClient.Spec.Secrets = append([]v1alpha1.OAuthClientSecret{{Hash: c.Hash()}}, r.previous(old.Spec.Secrets, overlap)...)
	return old, oauthClient, c.Reveal(), nil
}

// previous returns the secret that goes on beside a new one, with the end of the overlap: of two, the one that would work longer. It is
// empty if none works then.
func (r *Registry) previous(secrets []v1alpha1.OAuthClientSecret, overlap time.Duration) []v1alpha1.OAuthClientSecret {
	now := r.clock.Now()
	end := v1alpha1.NewTime(now.Add(overlap).UTC().Truncate(time.Second))
	if len(secrets) == 0 || !end.After(now) {
		return nil
	}
	last := secrets[0]
	for _, s := range secrets[1:] {
		if last.ExpirationTime != nil && s.ValidAt(last.ExpirationTime.Time) {
			last = s
		}
	}
	if !last.ValidAt(now) {
		return nil
	}
	if last.ValidAt(end.Time) {
		last.ExpirationTime = &end
	}
	return []v1alpha1.OAuthClientSecret{last}
}

// List returns the clients that an account has registered, the oldest first.
func (r *Registry) List(ctx context.Context, account string) ([]v1alpha1.OAuthClient, error) {
	var own v1alpha1.OAuthClientList
	err := r.client.List(ctx, &own, client.MatchingFields{"spec.accountRef.name": account})
	if err != nil {
		return nil, fmt.Errorf("listing clients: %w", err)
	}
	slices.SortFunc(own.Items, func(a, b v1alpha1.OAuthClient) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	return own.Items, nil
}

// Find returns a client of an account by its client id, or ErrUnknownClient.
func (r *Registry) Find(ctx context.Context, account, clientID string) (*v1alpha1.OAuthClient, error) {
	name, ok := ClientName(clientID)
	if !ok {
		return nil, ErrUnknownClient
	}
	oauthClient, err := r.get(ctx, name)
	if err != nil {
		return nil, err
	}
	if ref := oauthClient.Spec.AccountRef; ref == nil || ref.Name != account {
		return nil, ErrUnknownClient
	}
	return oauthClient, nil
}

// Delete deletes a client, which ends all its tokens.
func (r *Registry) Delete(ctx context.Context, name string) error {
	oauthClient := &v1alpha1.OAuthClient{ObjectMeta: metav1.ObjectMeta{Name: name}}
	err := r.client.Delete(ctx, oauthClient)
	if apierrors.IsNotFound(err) {
		return ErrUnknownClient
	}
	if err != nil {
		return fmt.Errorf("deleting the client: %w", err)
	}
	return nil
}

func (r *Registry) get(ctx context.Context, name string) (*v1alpha1.OAuthClient, error) {
	oauthClient := &v1alpha1.OAuthClient{}
	err := r.client.Get(ctx, types.NamespacedName{Name: name}, oauthClient)
	if apierrors.IsNotFound(err) {
		return nil, ErrUnknownClient
	}
	if err != nil {
		return nil, fmt.Errorf("reading the client: %w", err)
	}
	return oauthClient, nil
}

// consentIndex is the cache's index of grants by who gave them.
const consentIndex = "consent"

// IndexGrants makes the index by which List finds grants, once for each cache. The cost of a list depends on the number of grants
// that a person has given, not on the number of all grants.
func IndexGrants(ctx context.Context, indexer client.FieldIndexer) error {
	err := indexer.IndexField(ctx, &v1alpha1.OAuthGrant{}, consentIndex, func(o client.Object) []string {
		grant, ok := o.(*v1alpha1.OAuthGrant)
		if !ok {
			return nil
		}
		account := grant.Spec.AccountRef.Name
		return []string{consentOf(account, ""), consentOf(account, grant.Spec.Person)}
	})
	if err != nil {
		return fmt.Errorf("indexing grants: %w", err)
	}
	return nil
}

// consentOf is the value of the index for the grants of a person in an account, or of everybody if person is empty. Names of accounts
// have no slash.
func consentOf(account, person string) string { return account + "/" + person }
