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

// Registry registers apps. It makes their secrets and keeps nothing of them but hashes.
type Registry struct {
	client    client.Client
	namespace string
	random    io.Reader
}

// NewRegistry returns the registry of a namespace. The client reads and writes without a cache.
func NewRegistry(c client.Client, namespace string) *Registry {
	return &Registry{client: c, namespace: namespace, random: rand.Reader}
}

// Prepare makes an app of a spec, without storing it: with a new name, and with the hash of its secret where it is a
// confidential one. The secret is nowhere but in what is returned.
func (r *Registry) Prepare(spec v1alpha1.OAuthClientSpec) (app *v1alpha1.OAuthClient, secret string, err error) {
	c, err := credential.New(credential.ClientSecret, r.random)
	if err != nil {
		return nil, "", fmt.Errorf("making a client secret: %w", err)
	}
	app = &v1alpha1.OAuthClient{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient"},
		ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: c.ID},
		Spec:       spec,
	}
	app.Spec.SecretHashes = nil
	if spec.Type == v1alpha1.OAuthClientPublic {
		return app, "", nil
	}
	app.Spec.SecretHashes = []string{c.Hash()}
	return app, c.Reveal(), nil
}

// Create registers an app. The secret is empty for a public one.
func (r *Registry) Create(ctx context.Context, spec v1alpha1.OAuthClientSpec) (*v1alpha1.OAuthClient, string, error) {
	app, secret, err := r.Prepare(spec)
	if err != nil {
		return nil, "", err
	}
	if err := r.client.Create(ctx, app); err != nil {
		return nil, "", fmt.Errorf("registering the client: %w", err)
	}
	return app, secret, nil
}

// Rotate gives an app a new secret, in place of the older where it has two. The newer of them works on, so that there is
// no outage while the new one is rolled out.
func (r *Registry) Rotate(ctx context.Context, name string) (app *v1alpha1.OAuthClient, secret string, err error) {
	// Against what was read: two rotations at once would drop a secret that was just shown.
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		var old *v1alpha1.OAuthClient
		if old, app, secret, err = r.renewed(ctx, name); err != nil {
			return err
		}
		return r.client.Patch(ctx, app, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}))
	})
	switch {
	case errors.Is(err, ErrUnknownClient), errors.Is(err, ErrPublic):
		return nil, "", err
	case err != nil:
		return nil, "", fmt.Errorf("changing the secret: %w", err)
	}
	return app, secret, nil
}

// PrepareRotation is Rotate without storing anything: it returns the app as a manifest for Git.
func (r *Registry) PrepareRotation(ctx context.Context, name string) (*v1alpha1.OAuthClient, string, error) {
	_, app, secret, err := r.renewed(ctx, name)
	if err != nil {
		return nil, "", err
	}
	return &v1alpha1.OAuthClient{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient"},
		ObjectMeta: metav1.ObjectMeta{Namespace: app.Namespace, Name: app.Name, Labels: app.Labels},
		Spec:       app.Spec,
	}, secret, nil
}

// renewed reads an app and returns it with a new secret, and as it was.
func (r *Registry) renewed(ctx context.Context, name string) (old, app *v1alpha1.OAuthClient, secret string, err error) {
	app, err = r.get(ctx, name)
	if err != nil {
		return nil, nil, "", err
	}
	if app.Spec.Type == v1alpha1.OAuthClientPublic {
		return nil, nil, "", ErrPublic
	}
	c, err := credential.New(credential.ClientSecret, r.random)
	if err != nil {
		return nil, nil, "", fmt.Errorf("making a client secret: %w", err)
	}
	old = app.DeepCopy()
	app.Spec.SecretHashes = append([]string{c.Hash()}, app.Spec.SecretHashes[:min(1, len(app.Spec.SecretHashes))]...)
	return old, app, c.Reveal(), nil
}

// List returns the apps that an account has registered, the oldest first.
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

// Find returns an app of an account by its client id; ErrUnknownClient where the account has none like that.
func (r *Registry) Find(ctx context.Context, account, clientID string) (*v1alpha1.OAuthClient, error) {
	name, ok := ClientName(clientID)
	if !ok {
		return nil, ErrUnknownClient
	}
	app, err := r.get(ctx, name)
	if err != nil {
		return nil, err
	}
	if !belongs(app, account) {
		return nil, ErrUnknownClient
	}
	return app, nil
}

// Delete ends an app and every token that it got.
func (r *Registry) Delete(ctx context.Context, name string) error {
	app := &v1alpha1.OAuthClient{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: name}}
	err := r.client.Delete(ctx, app)
	if apierrors.IsNotFound(err) {
		return ErrUnknownClient
	}
	if err != nil {
		return fmt.Errorf("deleting the client: %w", err)
	}
	return nil
}

func (r *Registry) get(ctx context.Context, name string) (*v1alpha1.OAuthClient, error) {
	app := &v1alpha1.OAuthClient{}
	err := r.client.Get(ctx, types.NamespacedName{Namespace: r.namespace, Name: name}, app)
	if apierrors.IsNotFound(err) {
		return nil, ErrUnknownClient
	}
	if err != nil {
		return nil, fmt.Errorf("reading the client: %w", err)
	}
	return app, nil
}

func belongs(app *v1alpha1.OAuthClient, account string) bool {
	return app.Spec.AccountRef != nil && app.Spec.AccountRef.Name == account
}
