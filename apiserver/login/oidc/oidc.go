// Package oidc asks an OpenID Connect issuer who a person is: authorization code with PKCE and a nonce.
package oidc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"
	"k8s.io/utils/clock"
)

// ErrRefused means that the issuer does not vouch for a person. The error that wraps it gives the reason, without secrets.
var ErrRefused = errors.New("the issuer does not vouch for this sign-in")

// Options configure a Provider.
type Options struct {
	// Issuer is its address, as its tokens have it.
	Issuer string
	// ClientID and ClientSecret of the facade at the issuer.
	ClientID, ClientSecret string
	// RedirectURL that the issuer sends people back to.
	RedirectURL string
	// Client reaches the issuer.
	Client *http.Client
	Clock  clock.PassiveClock
}

// Identity is a person for whom the issuer vouches.
type Identity struct {
	// Issuer that does.
	Issuer string
	// Email that the issuer has verified.
	Email string
	// Groups in the claim `groups`.
	Groups []string
}

// Provider is an issuer. Its methods may be called from any goroutine.
type Provider struct {
	options Options

	found   atomic.Pointer[oidc.Provider]
	flights singleflight.Group
}

// New returns a Provider. The issuer is asked for its endpoints when they are first needed, so that it may be away when the facade
// starts.
func New(o Options) (*Provider, error) {
	u, err := url.Parse(o.Issuer)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
		return nil, errors.New("the OpenID Connect issuer must be an http or https address")
	case o.ClientID == "":
		return nil, errors.New("the OpenID Connect client ID must be given")
	case o.RedirectURL == "":
		return nil, errors.New("the address that the OpenID Connect issuer sends people back to must be given")
	}
	return &Provider{options: o}, nil
}

// Start returns the address to send a browser to.
func (p *Provider) Start(ctx context.Context, state, nonce, verifier string) (string, error) {
	config, _, err := p.config(ctx)
	if err != nil {
		return "", err
	}
	return config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)), nil
}

// Finish exchanges the code that a browser came back with. nonce and verifier are those of Start. It returns ErrRefused if the
// issuer does not vouch for anybody, or not for their e-mail address.
func (p *Provider) Finish(ctx context.Context, code, nonce, verifier string) (Identity, error) {
	config, found, err := p.config(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.options.Client)
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError {
		return Identity{}, fmt.Errorf("%w: it refuses the code: %s", ErrRefused, refused.ErrorCode)
	}
	if err != nil {
		return Identity{}, fmt.Errorf("exchanging the issuer's code: %w", err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return Identity{}, fmt.Errorf("%w: there is no ID token", ErrRefused)
	}
	verified, err := found.Verifier(&oidc.Config{ClientID: p.options.ClientID, Now: p.options.Clock.Now}).Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return identity(verified, nonce)
}

func identity(token *oidc.IDToken, nonce string) (Identity, error) {
	if token.Nonce != nonce {
		return Identity{}, fmt.Errorf("%w: the ID token is for another sign-in", ErrRefused)
	}
	var claims struct {
		Email    string   `json:"email"`
		Verified bool     `json:"email_verified"`
		Groups   []string `json:"groups"`
	}
	if err := token.Claims(&claims); err != nil {
		return Identity{}, fmt.Errorf("%w: its claims cannot be read: %w", ErrRefused, err)
	}
	if claims.Email == "" || !claims.Verified {
		return Identity{}, fmt.Errorf("%w: it has not verified an e-mail address", ErrRefused)
	}
	return Identity{Issuer: token.Issuer, Email: claims.Email, Groups: claims.Groups}, nil
}

// config returns how to speak with the issuer, once its endpoints are known.
func (p *Provider) config(ctx context.Context) (*oauth2.Config, *oidc.Provider, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return nil, nil, err
	}
	scopes := []string{oidc.ScopeOpenID, "email"}
	var metadata struct {
		Scopes []string `json:"scopes_supported"`
	}
	if err := found.Claims(&metadata); err != nil {
		return nil, nil, fmt.Errorf("reading the issuer's metadata: %w", err)
	}
	for _, s := range metadata.Scopes {
		// Some issuers refuse a scope that they do not know.
		if s == "groups" {
			scopes = append(scopes, s)
		}
	}
	return &oauth2.Config{
		ClientID: p.options.ClientID, ClientSecret: p.options.ClientSecret, Endpoint: found.Endpoint(),
		RedirectURL: p.options.RedirectURL, Scopes: scopes,
	}, found, nil
}

// discover returns the issuer's endpoints. While they are not known, all that need them wait for one request, each no longer than
// its own context.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	if found := p.found.Load(); found != nil {
		return found, nil
	}
	flight := p.flights.DoChan("", func() (any, error) {
		// The client bounds the request in time. It goes on for the others if the first caller gives up.
		found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.options.Client), p.options.Issuer)
		if err != nil {
			return nil, fmt.Errorf("asking the issuer for its endpoints: %w", err)
		}
		p.found.Store(found)
		return found, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-flight:
		found, _ := result.Val.(*oidc.Provider)
		return found, result.Err
	}
}
