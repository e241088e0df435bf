package controllers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Backends finds the generator of a site.
type Backends interface {
	// For returns the generator, or what keeps it from being used.
	For(ctx context.Context, site *v1alpha1.Site) (Backend, lifecycle.Obstacle, error)
}

// SiteBackends makes the generator of a site: the controller's own, or the one that the Site names.
type SiteBackends struct {
	// Default is the controller's generator.
	Default generate.Config
	// Public is the client for endpoints that Sites name: it reaches public addresses only.
	Public *http.Client
	// Live reads Secrets.
	Live client.Reader
}

// Backend is a generator and what status says of it.
type Backend struct {
	Generator generate.Generator
	Type      v1alpha1.GeneratorType
	Model     string
	// Host is what calls are capped by.
	Host string
}

// For returns the generator of a site, or what keeps it from being used.
func (b *SiteBackends) For(ctx context.Context, site *v1alpha1.Site) (Backend, lifecycle.Obstacle, error) {
	config, obstacle, err := b.config(ctx, site)
	if err != nil || obstacle.Reason != "" {
		return Backend{}, obstacle, err
	}
	generator, err := generate.New(config)
	if rejected, ok := errors.AsType[*generate.Error](err); ok {
		return Backend{}, lifecycle.Obstacle{Reason: rejected.Reason, Message: rejected.Message}, nil
	}
	if err != nil {
		return Backend{}, lifecycle.Obstacle{}, fmt.Errorf("making the generator: %w", err)
	}
	return Backend{
		Generator: generator, Type: config.Type, Model: config.Model, Host: hostOf(config),
	}, lifecycle.Obstacle{}, nil
}

func (b *SiteBackends) config(ctx context.Context, site *v1alpha1.Site) (generate.Config, lifecycle.Obstacle, error) {
	g := site.Spec.Generator
	if g == nil {
		return b.Default, lifecycle.Obstacle{}, nil
	}
	config := generate.Config{Type: g.Type, Model: g.Model, BaseURL: g.BaseURL, HTTPClient: b.Public}
	if g.APIKeySecretRef == nil {
		return config, lifecycle.Obstacle{}, nil
	}
	key, obstacle, err := secretValue(ctx, b.Live, site.Namespace, *g.APIKeySecretRef)
	config.APIKey = string(key)
	return config, obstacle, err
}

// hostOf names the outsider that a generator's calls go to.
func hostOf(c generate.Config) string {
	if u, err := url.Parse(c.BaseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return string(c.Type)
}

// secretValue reads one entry of a Secret, or says that it is missing.
func secretValue(
	ctx context.Context, live client.Reader, namespace string, ref v1alpha1.SecretKeyReference,
) ([]byte, lifecycle.Obstacle, error) {
	secret := &corev1.Secret{}
	err := live.Get(ctx, types.NamespacedName{Namespace: namespace, Name: ref.Name}, secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, lifecycle.Obstacle{}, fmt.Errorf("reading Secret %s: %w", ref.Name, err)
	}
	if apierrors.IsNotFound(err) || len(secret.Data[ref.Key]) == 0 {
		return nil, lifecycle.Obstacle{
			Reason:  v1alpha1.ReasonSecretNotFound,
			Message: fmt.Sprintf("the Secret %q must exist and have a value under the key %q", ref.Name, ref.Key),
		}, nil
	}
	return secret.Data[ref.Key], lifecycle.Obstacle{}, nil
}
