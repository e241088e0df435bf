package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// Registry registers clients. It makes their secrets and stores only hashes of them.
type Registry struct {
	client    client.Client
	namespace string
	random    io.Reader
}

// NewRegistry returns the registry of a namespace. The client reads and writes without a cache.
func NewRegistry(c client.Client, namespace string) *Registry {
	return &Registry{client: c, namespace: namespace, random: rand.Reader}
}

// Prepare makes a client with a new name, and a secret if it is a confidential one, without storing it. The secret is only in what it
// returns.
func (r *Registry) Prepare(spec v1alpha1.OAuthClientSpec) (oauthClient *v1alpha1.OAuthClient, secret string, err error) {
	c, err := credential.New(credential.ClientSecret, r.random)
	if err != nil {
		return nil, "", fmt.Errorf("making a client secret: %w", err)
	}
	oauthClient = &v1alpha1.OAuthClient{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient"},
		ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: c.ID},
		Spec:       spec,
	}
	oauthClient.Spec.SecretHashes = nil
	if spec.Type == v1alpha1.OAuthClientPublic {
		return oauthClient, "", nil
	}
	oauthClient.Spec.SecretHashes = []string{c.Hash()}
	return oauthClient, c.Reveal(), nil
}

// Create registers a client, and returns its secret, which is empty for a public one.
func (r *Registry) Create(ctx context.Context, spec v1alpha1.OAuthClientSpec) (*v1alpha1.OAuthClient, string, error) {
	oauthClient, secret, err := r.Prepare(spec)
	if err != nil {
		return nil, "", err
	}
	if err := r.client.Create(ctx, oauthClient); err != nil {
		return nil, "", fmt.Errorf("registering the client: %w", err)
	}
	return oauthClient, secret, nil
}

// Rotate gives a client a new secret, which replaces the older one if it has two. The newer one keeps working, so that there is no
// outage while the new secret is rolled out.
func (r *Registry) Rotate(ctx context.Context, name string) (oauthClient *v1alpha1.OAuthClient, secret string, err error) {
	// Under the resourceVersion that was read: otherwise two rotations at once could drop a secret that was just shown.
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		var old *v1alpha1.OAuthClient
		if old, oauthClient, secret, err = r.renewed(ctx, name); err != nil {
			return err
		}
		return r.client.Patch(ctx, oauthClient, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}))
	})
	switch {
	case errors.Is(err, ErrUnknownClient), errors.Is(err, ErrPublic):
		return nil, "", err
	case err != nil:
		return nil, "", fmt.Errorf("changing the secret: %w", err)
	}
	return oauthClient, secret, nil
}

// PrepareRotation is Rotate without storing: it returns the client as a manifest for Git.
func (r *Registry) PrepareRotation(ctx context.Context, name string) (*v1alpha1.OAuthClient, string, error) {
	_, oauthClient, secret, err := r.renewed(ctx, name)
	if err != nil {
		return nil, "", err
	}
	return &v1alpha1.OAuthClient{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient"},
		ObjectMeta: metav1.ObjectMeta{Namespace: oauthClient.Namespace, Name: oauthClient.Name, Labels: oauthClient.Labels},
		Spec:       oauthClient.Spec,
	}, secret, nil
}

// renewed reads a client, and returns it as it was, with a new secret, and that secret.
func (r *Registry) renewed(ctx context.Context, name string) (old, oauthClient *v1alpha1.OAuthClient, secret string, err error) {
	oauthClient, err = r.get(ctx, name)
	if err != nil {
		return nil, nil, "", err
	}
	if oauthClient.Spec.Type == v1alpha1.OAuthClientPublic {
		return nil, nil, "", ErrPublic
	}
	c, err := credential.New(credential.ClientSecret, r.random)
	if err != nil {
		return nil, nil, "", fmt.Errorf("making a client secret: %w", err)
	}
	old = oauthClient.DeepCopy()
	before := oauthClient.Spec.SecretHashes
	oauthClient.Spec.SecretHashes = append([]string{c.Hash()}, before[:min(1, len(before))]...)
	return old, oauthClient, c.Reveal(), nil
}

// List returns the clients that an account has registered, the oldest first.
func (r *Registry) List(ctx context.Context, account string) ([]v1alpha1.OAuthClient, error) {
	var own v1alpha1.OAuthClientList
	err := r.client.List(ctx, &own, client.InNamespace(r.namespace), client.MatchingFields{"spec.accountRef.name": account})
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
	if !belongs(oauthClient, account) {
		return nil, ErrUnknownClient
	}
	return oauthClient, nil
}

// Delete deletes a client, which ends all its tokens.
func (r *Registry) Delete(ctx context.Context, name string) error {
	oauthClient := &v1alpha1.OAuthClient{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: name}}
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
	err := r.client.Get(ctx, types.NamespacedName{Namespace: r.namespace, Name: name}, oauthClient)
	if apierrors.IsNotFound(err) {
		return nil, ErrUnknownClient
	}
	if err != nil {
		return nil, fmt.Errorf("reading the client: %w", err)
	}
	return oauthClient, nil
}

func belongs(oauthClient *v1alpha1.OAuthClient, account string) bool {
	return oauthClient.Spec.AccountRef != nil && oauthClient.Spec.AccountRef.Name == account
}
