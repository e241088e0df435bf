package apiserver

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/oidc"
	"github.com/pressroom-dev/pressroom/apiserver/people"
	"github.com/pressroom-dev/pressroom/apiserver/session"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// providerTimeout bounds one question to the OpenID Connect issuer.
const providerTimeout = 10 * time.Second

// PageOptions say how people sign in to the pages.
type PageOptions struct {
	// SessionKeyFile holds one or two keys that seal sessions, the newest first. It is read anew now and then, and may come later
	// than we do. Where it is empty there are no pages.
	SessionKeyFile string
	// TrustedProxies are believed about where a request comes from.
	TrustedProxies session.Proxies
	// OIDCIssuer signs people in; empty where API keys alone do.
	OIDCIssuer string
	// OIDCClientID and OIDCClientSecretFile are what the issuer has registered for us. The file may be missing for a public
	// client.
	OIDCClientID, OIDCClientSecretFile string
}

// pages returns the functions that mount the pages, one for each package of pages; none if there is no session key file.
func (s *Server) pages(store oauth.Store) ([]func(gin.IRouter), error) {
	o := s.options.Pages
	if o.SessionKeyFile == "" {
		return nil, nil
	}
	keys, err := session.OpenKeyFile(o.SessionKeyFile, store.Clock)
	if err != nil {
		return nil, err
	}
	log := s.options.Log.WithName("pages")
	if keys.Missing() {
		log.Info("the consent page cannot be shown until there are session keys: create the Secret that holds them, "+
			"as docs/operating.md says; they are found without a restart", "file", o.SessionKeyFile)
	}
	clients := oauth.NewClients(store)
	d := consent.Deps{
		Clients: clients, Grants: oauth.NewGrants(store, clients), Authenticator: s.keys,
		People:     people.Directory{Live: store.Client, Namespace: store.Namespace, Clock: store.Clock},
		Workspaces: s.workspaces, Store: session.Store{Keys: keys, Clock: store.Clock}, Proxies: o.TrustedProxies,
		Issuer: func() string { base, _ := s.addresses(); return base }, Log: log,
	}
	if o.OIDCIssuer != "" {
		if d.Provider, err = s.provider(); err != nil {
			return nil, err
		}
	}
	pages, err := consent.New(d)
	if err != nil {
		return nil, fmt.Errorf("making the pages: %w", err)
	}
	return []func(gin.IRouter){pages.Mount}, nil
}

func (s *Server) provider() (*oidc.Provider, error) {
	o := s.options.Pages
	if s.options.AppURL == "" && s.options.BaseURL == "" {
		return nil, fmt.Errorf("the address of the pages must be given for signing in at %s", o.OIDCIssuer)
	}
	var secret []byte
	if o.OIDCClientSecretFile != "" {
		var err error
		if secret, err = os.ReadFile(o.OIDCClientSecretFile); err != nil {
			return nil, fmt.Errorf("reading the OpenID Connect client secret: %w", err)
		}
	}
	_, app := s.addresses()
	return oidc.New(oidc.Options{
		Issuer: o.OIDCIssuer, ClientID: o.OIDCClientID, ClientSecret: strings.TrimSpace(string(secret)),
		RedirectURL: app + consent.CallbackPath, Client: egress.NewPrivateClient(providerTimeout), Clock: s.options.Clock,
	})
}

// workspaces returns the names of an account's workspaces.
func (s *Server) workspaces(account string) []string {
	list := s.index.Workspaces(account)
	names := make([]string, 0, len(list))
	for _, w := range list {
		names = append(names, w.Name)
	}
	return names
}
