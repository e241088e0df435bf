// Package sitegenerator finds the generator that writes the articles of a site.
package sitegenerator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Finder finds the generator of a site.
type Finder interface {
	// For returns the generator, or a *lifecycle.BlockedError if it cannot be used.
	For(ctx context.Context, site *v1alpha1.Site) (Backend, error)
}

// Sites makes the generator of a site: the controller's own, or the one that the Site names.
type Sites struct {
	// Default is the controller's generator.
	Default generate.Config
	// Public is the client for endpoints that Sites name: it reaches public addresses only.
	Public *http.Client
	// Secrets reads the keys.
	Secrets Secrets
}

// Secrets reads values of Secrets.
type Secrets interface {
	// Value returns a value for an address, or a *lifecycle.BlockedError if it cannot be used.
	Value(ctx context.Context, namespace string, ref v1alpha1.SecretKeyReference, address string) ([]byte, error)
}

// Backend is a generator with the fields that status has about it.
type Backend struct {
	Generator generate.Generator
	Type      v1alpha1.GeneratorType
	Model     string
	// Prices of the model's tokens, if they are known.
	Prices generate.Prices
	// Host that is called, with its port.
	Host string
	// Default means that it is the controller's own generator. Only --max-runs bounds the calls of its host.
	Default bool
}

// For returns the generator of a site, or a *lifecycle.BlockedError if it cannot be used.
func (b *Sites) For(ctx context.Context, site *v1alpha1.Site) (Backend, error) {
	config, err := b.config(ctx, site)
	if err != nil {
		return Backend{}, err
	}
	generator, err := generate.New(config)
	if rejected, ok := errors.AsType[*generate.Error](err); ok {
		return Backend{}, &lifecycle.BlockedError{Reason: rejected.Reason, Message: rejected.Message, RetryAfter: lifecycle.BlockedPoll}
	}
	if err != nil {
		return Backend{}, fmt.Errorf("making the generator: %w", err)
	}
	own := site.Spec.Generator == nil
	return Backend{
		Generator: generator, Type: config.Type, Model: config.Model, Prices: config.Prices, Host: hostOf(config, own), Default: own,
	}, nil
}

func (b *Sites) config(ctx context.Context, site *v1alpha1.Site) (generate.Config, error) {
	g := site.Spec.Generator
	if g == nil {
		return b.Default, nil
	}
	config := generate.Config{Type: g.Type, Model: g.Model, BaseURL: g.BaseURL, HTTPClient: b.Public}
	if p := g.Prices; p != nil {
		// Admission checks their form. If prices cannot be read, the cost is unknown, and the run goes on.
		config.Prices, _ = generate.ParsePrices(p.Currency, p.Input, p.CachedInput, p.Output)
	}
	if g.APIKeySecretRef == nil {
		return config, nil
	}
	key, err := b.Secrets.Value(ctx, site.Namespace, *g.APIKeySecretRef, g.BaseURL)
	config.APIKey = strings.TrimSpace(string(key))
	return config, err
}

// hostOf returns the external endpoint that a generator's calls go to; for a provider's own endpoint, the generator's type. The calls
// of the controller's generator are not counted with those of Sites that name the same endpoint.
func hostOf(c generate.Config, own bool) string {
	switch {
	case own:
		return "default generator"
	case c.BaseURL != "":
		return egress.Host(c.BaseURL)
	default:
		return string(c.Type)
	}
}
