package sitegenerator_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// secrets are the values of the Secret "model" by their keys. That Secrets are read as they are now is proved with controllers/base.
type secrets map[string]string

func (s secrets) Value(_ context.Context, _ string, ref v1alpha1.SecretKeyReference, _ string) ([]byte, error) {
	value, ok := s[ref.Key]
	if !ok {
		return nil, &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "there is no Secret model"}
	}
	return []byte(value), nil
}

var keyRef = &v1alpha1.SecretKeyReference{Name: "model", Key: "key"}

func siteWith(g *v1alpha1.SiteGenerator) *v1alpha1.Site {
	return &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Generator: g}}
}

func TestASiteHasItsOwnGeneratorOrThatOfTheController(t *testing.T) {
	sites := &sitegenerator.Sites{
		Default: generate.Config{Type: v1alpha1.GeneratorBuiltIn, Prices: generate.Prices{Currency: "CHF", Input: 1, Cached: 1, Output: 1}},
		Public:  &http.Client{}, Secrets: secrets{"key": "sk-1\n"},
	}
	for name, tt := range map[string]struct {
		generator *v1alpha1.SiteGenerator
		want      sitegenerator.Backend
	}{
		"none of its own": {nil, sitegenerator.Backend{
			Type: v1alpha1.GeneratorBuiltIn, Prices: sites.Default.Prices, Host: "default generator", Default: true,
		}},
		// kubectl makes the Secret of a file, which ends with a line break.
		"with a key": {&v1alpha1.SiteGenerator{Type: v1alpha1.GeneratorAnthropic, Model: "claude", APIKeySecretRef: keyRef},
			sitegenerator.Backend{Type: v1alpha1.GeneratorAnthropic, Model: "claude", Host: string(v1alpha1.GeneratorAnthropic)}},
		"with prices": {
			&v1alpha1.SiteGenerator{
				Type: v1alpha1.GeneratorAnthropic, Model: "claude", APIKeySecretRef: keyRef,
				Prices: &v1alpha1.TokenPrices{Currency: "USD", Input: "0.15", CachedInput: "0.075", Output: "15"},
			},
			sitegenerator.Backend{
				Type: v1alpha1.GeneratorAnthropic, Model: "claude", Host: string(v1alpha1.GeneratorAnthropic),
				Prices: generate.Prices{Currency: "USD", Input: 150_000, Cached: 75_000, Output: 15_000_000},
			},
		},
		"with an address": {&v1alpha1.SiteGenerator{Type: v1alpha1.GeneratorOpenAI, Model: "m", BaseURL: "https://models.example/v1"},
			sitegenerator.Backend{Type: v1alpha1.GeneratorOpenAI, Model: "m", Host: "models.example:443"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := sites.For(t.Context(), siteWith(tt.generator))
			if err != nil || got.Generator == nil {
				t.Fatalf("got %v, %v", got.Generator, err)
			}
			got.Generator = nil
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestAGeneratorThatCannotBeUsedSaysWhy(t *testing.T) {
	for name, tt := range map[string]struct {
		values     secrets
		wantReason string
	}{
		"without its Secret":      {secrets{}, v1alpha1.ReasonSecretNotFound},
		"with a key of two lines": {secrets{"key": "two\nlines"}, v1alpha1.ReasonBackendRejected},
	} {
		t.Run(name, func(t *testing.T) {
			sites := &sitegenerator.Sites{Public: &http.Client{}, Secrets: tt.values}
			_, err := sites.For(t.Context(), siteWith(&v1alpha1.SiteGenerator{
				Type: v1alpha1.GeneratorAnthropic, Model: "claude", APIKeySecretRef: keyRef,
			}))
			blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
			if !ok || blocked.Reason != tt.wantReason {
				t.Fatalf("got %v, want %s", err, tt.wantReason)
			}
			if strings.Contains(err.Error(), "lines") {
				t.Errorf("the key, which is a secret, is in %v", err)
			}
		})
	}
}

// endpoint answers the requests of a generator.
type endpoint func(*http.Request) (*http.Response, error)

func (e endpoint) RoundTrip(r *http.Request) (*http.Response, error) { return e(r) }

func TestASitesEndpointIsNeverSentTheKeyOfTheController(t *testing.T) {
	const own = "sk-of-the-controller"
	var sent []http.Header
	sites := &sitegenerator.Sites{
		Default: generate.Config{Type: v1alpha1.GeneratorOpenAI, Model: "m", APIKey: own},
		Public: &http.Client{Transport: endpoint(func(r *http.Request) (*http.Response, error) {
			sent = append(sent, r.Header)
			return nil, errors.New("there is no answer")
		})},
		Secrets: secrets{},
	}
	backend, err := sites.For(t.Context(), siteWith(&v1alpha1.SiteGenerator{
		Type: v1alpha1.GeneratorOpenAI, Model: "m", BaseURL: "https://models.example/v1",
	}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = backend.Generator.Generate(t.Context(), generate.Request{Keyword: "shoes", Language: "en"}, func(int, int) {})
	if err == nil || len(sent) == 0 {
		t.Fatalf("%d requests, %v", len(sent), err)
	}
	for _, header := range sent {
		for name, values := range header {
			if strings.Contains(strings.Join(values, " "), own) {
				t.Errorf("%s has the key of the controller", name)
			}
		}
	}
}
