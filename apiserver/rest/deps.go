package rest

import (
	"cmp"
	"context"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// Authenticator says who a credential belongs to.
type Authenticator interface {
	// Authenticate returns auth.ErrUnauthorized or auth.ErrUnavailable where it cannot say.
	Authenticate(ctx context.Context, credential string) (auth.Principal, error)
}

// Index answers from memory.
type Index interface {
	// List returns a page of articles, newest first, and whether there are more.
	List(workspace string, f index.Filter, before string, limit int) ([]index.Article, bool)
	// Get returns an article by uid.
	Get(workspace, uid string) (index.Article, bool)
	// Sites returns the sites of an account by age, in the workspaces that opens allows.
	Sites(account string, opens func(workspace string) bool) []index.Site
	// Site returns a site by uid.
	Site(workspace, uid string) (index.Site, bool)
	// Workspaces returns the workspaces of an account by name.
	Workspaces(account string) []index.Workspace
	// Workspace returns a workspace by name.
	Workspace(name string) (index.Workspace, bool)
}

// Ledger charges accounts, exactly, whatever other replicas do.
type Ledger interface {
	// Charge takes a credit for a run, and tells whether this call took it: a run that is charged already is not charged
	// again. A *ledger.LimitError says that a limit forbids it.
	Charge(ctx context.Context, c ledger.Charge) (taken bool, err error)
	// Apply changes the usage of an account.
	Apply(ctx context.Context, account string, change func(*v1alpha1.AccountUsage) error) error
}

// Apps registers OAuth clients, and shows the secret of each once.
type Apps interface {
	// Create registers an app of an account; the secret is empty for a public one.
	Create(ctx context.Context, spec v1alpha1.OAuthClientSpec) (app *v1alpha1.OAuthClient, secret string, err error)
	// Rotate gives an app a new secret. The one before it works until the next time.
	Rotate(ctx context.Context, name string) (app *v1alpha1.OAuthClient, secret string, err error)
	// List returns the apps of an account by age.
	List(ctx context.Context, account string) ([]v1alpha1.OAuthClient, error)
	// Find returns an app of an account; oauth.ErrUnknownClient where it has none of this client id.
	Find(ctx context.Context, account, clientID string) (*v1alpha1.OAuthClient, error)
	// Delete ends an app and every token that it got.
	Delete(ctx context.Context, name string) error
}

// Deps are what the REST API is made of.
type Deps struct {
	Authenticator Authenticator
	Index         Index
	// Synced reports whether the index has taken in everything that there was at the start. Until then nothing is answered.
	Synced func() bool
	Ledger Ledger
	// Client reads from and writes to the API server, without a cache.
	Client client.Client
	Clock  clock.Clock
	Log    logr.Logger
	// Metrics count what is answered.
	Metrics *Metrics
	// Tracer makes the spans of requests; the zero one makes none.
	Tracer tracing.Tracer
	// Limits bound what a replica does.
	Limits Limits
	// Apps registers OAuth clients.
	Apps Apps
	// Mounts add routes that are not operations of the REST API, such as the token endpoint and the pages.
	Mounts []func(gin.IRouter)
}

// Limits bound what a replica does. The zero value of a field means its default.
type Limits struct {
	// RequestsPerSecond and RequestBurst bound what one key may ask of one replica, apart from the account's limits,
	// which hold across replicas. 100 and 500 by default.
	RequestsPerSecond float64
	RequestBurst      int
	// CallTimeout bounds each call to the API server, 10 s by default.
	CallTimeout time.Duration
	// OperationTimeout bounds an operation with all its calls, 30 s by default.
	OperationTimeout time.Duration
	// BodyTimeout bounds the reading of a body, 15 s by default.
	BodyTimeout time.Duration
	// CacheBytes bounds the texts that are held in memory, 64 MiB by default.
	CacheBytes int64
}

func (l Limits) withDefaults() Limits {
	l.RequestsPerSecond = cmp.Or(l.RequestsPerSecond, 100)
	l.RequestBurst = cmp.Or(l.RequestBurst, 500)
	l.CallTimeout = cmp.Or(l.CallTimeout, 10*time.Second)
	l.OperationTimeout = cmp.Or(l.OperationTimeout, 30*time.Second)
	l.BodyTimeout = cmp.Or(l.BodyTimeout, 15*time.Second)
	l.CacheBytes = cmp.Or(l.CacheBytes, 64<<20)
	return l
}
