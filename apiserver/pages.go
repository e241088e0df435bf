package apiserver

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/login/oidc"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	facade "github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
	"github.com/pressroom-dev/pressroom/apiserver/sharepage"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
)

// providerTimeout bounds one request to the OpenID Connect issuer.
const providerTimeout = 10 * time.Second

// PageOptions configure how people sign in to the pages.
type PageOptions struct {
	// SessionKeyFile holds one or two keys that seal sessions, the newest first. It is read again now and then, and may be created
	// after the start. If it is empty, there are no pages.
	SessionKeyFile string
	// TrustedProxies whose X-Forwarded-For is trusted.
	TrustedProxies login.Proxies
	// OIDCIssuer signs people in; empty if only API keys do.
	OIDCIssuer string
	// OIDCClientID and OIDCClientSecretFile are the credentials of the facade at the issuer. A public client has no secret file.
	OIDCClientID, OIDCClientSecretFile string
	// VisitsPerSecond bounds the pages that one person may ask this replica for; zero means the default of login.Options.
	VisitsPerSecond int
}

// check refuses options that would do nothing.
func (o PageOptions) check() error {
	switch {
	case o.OIDCIssuer == "" && (o.OIDCClientID != "" || o.OIDCClientSecretFile != ""):
		return errors.New("--oidc-client-id and --oidc-client-secret-file need --oidc-issuer")
	case o.OIDCIssuer != "" && o.SessionKeyFile == "":
		return errors.New("--oidc-issuer needs --session-key-file, without which no pages are served")
	default:
		return nil
	}
}

// addPages adds the pages to the REST API; none if there is no session key file.
func (s *Server) addPages(api *facade.Deps, store oauth.Store, grants *oauth.Grants) error {
	o := s.options.Pages
	if o.SessionKeyFile == "" {
		return nil
	}
	log := s.options.Log.WithName("pages")
	keys, err := seal.OpenKeyFile(o.SessionKeyFile, store.Clock)
	if err != nil {
		return err
	}
	if keys.Missing() {
		log.Info("the consent page cannot be shown until there are session keys: create the Secret that holds them, "+
			"as docs/how-to/run-oauth.md says; they are found without a restart", "file", o.SessionKeyFile)
	}
	frame := pages.New(pages.Options{Keys: keys, Clock: store.Clock, Ready: s.hasAddress, Log: log})
	signIn, err := s.login(frame, store)
	if err != nil {
		return err
	}
	consents := consent.New(consent.Options{
		Frame: frame, Login: signIn, Clients: grants.Clients, Grants: grants,
		Issuer: func() string { base, _ := s.addresses(); return base }, Log: log,
	})
	api.Share = share.Deps{Keys: keys, Address: func() string { _, app := s.addresses(); return app }}
	shared := sharepage.New(sharepage.Options{
		Frame: frame, Keys: keys, API: api.Local, Client: o.TrustedProxies.Client, Clock: s.options.Clock, Log: log,
	})
	board, err := dashboard.New(dashboard.Options{
		Frame: frame, Login: signIn, API: api.Local, Watch: s.index.Watch, Ending: s.ending, Clock: s.options.Clock, Log: log,
		Images: featuredimage.Fetcher{HTTP: egress.NewClient(s.options.Egress, 0), Clock: s.options.Clock},
	})
	if err != nil {
		return err
	}
	api.Home, api.NoPage = dashboard.Root, board.NoPage
	api.Mounts = append(api.Mounts, signIn.Mount, consents.Mount, board.Mount, shared.Mount)
	return nil
}

// login returns what finds out who uses the pages.
func (s *Server) login(frame *pages.Frame, store oauth.Store) (*login.Login, error) {
	o := login.Options{
		Frame: frame, Authenticator: s.keys, Proxies: s.options.Pages.TrustedProxies, Home: dashboard.Root,
		Links: bindsLoopback(s.options.BindAddress), VisitsPerSecond: s.options.Pages.VisitsPerSecond,
		People: login.Directory{
			Live: store.Client, Accounts: store.Cache, Keys: s.lookup, Workspaces: s.workspaces, Issuer: s.options.Pages.OIDCIssuer,
		},
		SignOuts: login.Records{Live: store.Client, Namespace: s.options.SystemNamespace},
		Log:      s.options.Log.WithName("pages"),
	}
	if s.options.Pages.OIDCIssuer != "" {
		var err error
		if o.Provider, err = s.provider(); err != nil {
			return nil, err
		}
	}
	return login.New(o), nil
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
		RedirectURL: app + login.CallbackPath, Client: egress.NewPrivateClient(providerTimeout), Clock: s.options.Clock,
	})
}

// workspaces returns the names of an account's workspaces.
func (s *Server) workspaces(account string) ([]string, error) {
	if !s.synced() {
		return nil, errors.New("the index is not complete yet")
	}
	list := s.index.Workspaces(account)
	names := make([]string, 0, len(list))
	for _, w := range list {
		names = append(names, w.Name)
	}
	return names, nil
}
