package rest

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// Authenticator finds whom a credential belongs to.
type Authenticator interface {
	// Authenticate returns auth.ErrUnauthorized if the credential does not work, and auth.ErrUnavailable if it cannot be checked.
	Authenticate(ctx context.Context, credential string) (auth.Principal, error)
}

// Index answers from memory.
type Index interface {
	// List returns a page of articles, and whether there are more.
	List(workspace string, q index.Query, after string, limit int) ([]index.Article, bool)
	// Count returns how many articles a site has, or all sites if siteUID is empty.
	Count(workspace, siteUID string) index.Counts
	// Between returns a page of the articles that were published in a time, or are to be.
	Between(workspace, siteUID string, from, to time.Time, after string, limit int) index.DatedPage
	// Published returns a page of articles by the time of their publication, the earliest first.
	Published(workspace string, q index.Query, since time.Time, after string, limit int) index.PublishedPage
	// Get returns an article by uid.
	Get(workspace, uid string) (index.Article, bool)
	// Await waits until an article that Get knows has the state of a resource version, or a later one, or until ctx ends.
	Await(ctx context.Context, workspace, uid, version string)
	// Sites returns the sites of an account by age, in the workspaces that opens allows.
	Sites(account string, opens func(workspace string) bool) []index.Site
	// Site returns a site by uid.
	Site(workspace, uid string) (index.Site, bool)
	// Usage returns how much an account has of what has a limit.
	Usage(account string) index.Usage
	// Workspaces returns the workspaces of an account by name.
	Workspaces(account string) []index.Workspace
	// Workspace returns a workspace by name.
	Workspace(name string) (index.Workspace, bool)
}

// Ledger charges accounts, exactly once across replicas.
type Ledger interface {
	// Charge takes a credit for a run of an account with that spec, and reports whether this call took it: a run that is charged
	// already is not charged again. It returns a *ledger.LimitError if a limit forbids it.
	Charge(ctx context.Context, spec v1alpha1.AccountSpec, c ledger.Charge) (taken bool, err error)
	// Apply changes the ledger of an account.
	Apply(ctx context.Context, account string, change func(*v1alpha1.AccountLedgerSpec) error) error
}

// Accounts reads accounts from memory.
type Accounts interface {
	// Account returns an account, or nil if there is none. The caller only reads it.
	Account(ctx context.Context, name string) (*v1alpha1.Account, error)
}

// Clients registers OAuth clients, and returns the secret of each once.
type Clients interface {
	// CreateFrom registers a client of an account, with a name and a secret that are made of random bytes; the secret is empty for a
	// public one. If it is called again with the same bytes, it returns the same.
	CreateFrom(ctx context.Context, spec v1alpha1.OAuthClientSpec, random io.Reader) (c *v1alpha1.OAuthClient, secret string, err error)
	// RotateFrom makes a new secret of a client of random bytes. The previous one works until the next rotation. If it is called again
	// with the same bytes, it changes nothing.
	RotateFrom(ctx context.Context, name string, random io.Reader) (c *v1alpha1.OAuthClient, secret string, err error)
	// List returns the clients of an account by age.
	List(ctx context.Context, account string) ([]v1alpha1.OAuthClient, error)
	// Find returns a client of an account; oauth.ErrUnknownClient if the account has none with this client id.
	Find(ctx context.Context, account, clientID string) (*v1alpha1.OAuthClient, error)
	// Delete removes a client and ends all its tokens.
	Delete(ctx context.Context, name string) error
}

// Grants are the access that people have given to OAuth clients.
type Grants interface {
	// List returns the grants of an account that have not ended, newest first: those of a person, or all if person is empty.
	List(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error)
	// Client returns a client by its client id, or oauth.ErrUnknownClient or oauth.ErrSuspended.
	Client(ctx context.Context, clientID string) (*v1alpha1.OAuthClient, error)
	// RevokeOf ends a grant of an account; oauth.ErrUnknownGrant if the account has none with this name.
	RevokeOf(ctx context.Context, account, name string) error
}

// Deps are the dependencies of the REST API.
type Deps struct {
	Authenticator Authenticator
	Index         Index
	// Synced reports whether the index is complete. Until then every request is refused.
	Synced func() bool
	Ledger Ledger
	// Client reads from and writes to kube-apiserver, without a cache.
	Client client.Client
	// SystemNamespace has the records of operations that belong to no workspace.
	SystemNamespace string
	// Cell is the code of the installation, with which the ids of keys and clients begin.
	Cell  credential.Cell
	Clock clock.Clock
	Log   logr.Logger
	// Registry takes the metrics.
	Registry prometheus.Registerer
	// Limits of this replica.
	Limits Limits
	// Clients registers OAuth clients.
	Clients Clients
	// NoClientRegistration means that accounts may not register OAuth clients.
	NoClientRegistration bool
	// Accounts have the credits and the limits.
	Accounts Accounts
	// CountClients returns how many OAuth clients an account has registered, from memory.
	CountClients func(ctx context.Context, account string) (int64, error)
	// Grants are what people have granted to OAuth clients.
	Grants Grants
	// Local is connected to the operations, for pages that call them. It may be nil.
	Local *Local
	// Home is the path that / leads to; the reference page if it is empty.
	Home string
	// NoPage answers a request for a page that does not exist, and returns whether it has. It may be nil.
	NoPage func(*gin.Context) bool
	// Mounts add routes that are not operations of the REST API, such as the token endpoint and the pages.
	Mounts []func(gin.IRouter)
}

// Limits of one replica. The zero value of a field means its default.
type Limits struct {
	// RequestsPerSecond and RequestBurst bound the valid requests of one key to one replica, apart from the account's limits, which
	// hold across replicas. 100 and 500 by default. All keys and tokens of an account have twice as much together, and twice as many
	// requests may arrive, valid or not.
	RequestsPerSecond float64
	RequestBurst      int
	// CallTimeout bounds each request to kube-apiserver, 10 s by default.
	CallTimeout time.Duration
	// OperationTimeout bounds an operation with all its calls, 30 s by default.
	OperationTimeout time.Duration
	// BodyTimeout bounds the reading of a body, 15 s by default.
	BodyTimeout time.Duration
	// BodyBytes and AccountBodyBytes bound the bodies of the requests in progress, in bytes: all of them, and those of one account.
	// 16 MiB and 4 MiB by default.
	BodyBytes, AccountBodyBytes int64
	// CacheBytes bounds the cache of texts, 64 MiB by default.
	CacheBytes int64
}

func (l Limits) withDefaults() Limits {
	l.RequestsPerSecond = cmp.Or(l.RequestsPerSecond, 100)
	l.RequestBurst = cmp.Or(l.RequestBurst, 500)
	l.CallTimeout = cmp.Or(l.CallTimeout, 10*time.Second)
	l.OperationTimeout = cmp.Or(l.OperationTimeout, 30*time.Second)
	l.BodyTimeout = cmp.Or(l.BodyTimeout, 15*time.Second)
	l.BodyBytes = cmp.Or(l.BodyBytes, 16<<20)
	l.AccountBodyBytes = cmp.Or(l.AccountBodyBytes, 4<<20)
	l.CacheBytes = cmp.Or(l.CacheBytes, 64<<20)
	return l
}
