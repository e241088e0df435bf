package operation

import (
	"cmp"
	"context"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Authenticator finds whom a credential belongs to.
type Authenticator interface {
	// Authenticate returns auth.ErrUnauthorized if the credential does not work, and auth.ErrUnavailable if it cannot be checked.
	Authenticate(ctx context.Context, credential string) (auth.Principal, error)
}

// Index answers from memory, as index.Index does.
type Index interface {
	List(workspace string, q index.Query, after string, limit int) ([]index.Article, bool)
	Count(workspace, siteUID string) index.Counts
	Between(workspace, siteUID string, from, to time.Time, after string, limit int) index.Page
	Published(workspace string, q index.Query, since time.Time, after string, limit int) index.Page
	Changed(workspace, siteUID string, since time.Time, after string, limit int) index.Page
	Get(workspace, uid string) (index.Article, bool)
	Await(ctx context.Context, workspace, uid, version string, holds func(*v1alpha1.Article) bool)
	AwaitNew(ctx context.Context, workspace, uid string)
	AwaitSite(ctx context.Context, workspace, uid, version string)
	Sites(account string, opens func(workspace string) bool) []index.Site
	Site(workspace, uid string) (index.Site, bool)
	Usage(account string) index.Usage
	HasSubscription(workspace, name string) bool
	Briefs(workspace string) []index.Brief
	Brief(workspace, uid string) (index.Brief, bool)
	HasBrief(workspace, name string) bool
	AwaitBrief(ctx context.Context, workspace, uid string)
	Workspaces(account string) []index.Workspace
	Workspace(name string) (index.Workspace, bool)
}

// Accounts reads accounts from memory.
type Accounts interface {
	// Account returns an account, or nil if there is none. The caller only reads it.
	Account(ctx context.Context, name string) (*v1alpha1.Account, error)
}

// Deps are the dependencies of all operations.
type Deps struct {
	Authenticator Authenticator
	Index         Index
	Accounts      Accounts
	// Refused reports whether this replica refuses what an object opened that was deleted, and all that stands on it; nil if it has no
	// memory of it.
	Refused func(ctx context.Context, gone client.Object) bool
	// Synced reports whether the index is complete. Until then every request is refused.
	Synced func() bool
	// Client reads from and writes to kube-apiserver, without a cache.
	Client client.Client
	// SystemNamespace has the records of operations that belong to no workspace.
	SystemNamespace string
	Clock           clock.Clock
	Log             logr.Logger
	// Limits of this replica.
	Limits Limits
	// Written counts the bytes that accounts write; one of its own if it is nil.
	Written *middleware.Written
}

// Limits of one replica. The zero value of a field means its default.
type Limits struct {
	// RequestsPerSecond and RequestBurst bound the valid requests of one key to one replica, apart from the account's limits, which
	// hold across replicas. 100 and 500 by default. All keys and tokens of an account have twice as much together, and twice as many
	// requests may arrive, valid or not.
	RequestsPerSecond float64
	RequestBurst      int
	// OperationTimeout bounds an operation with all its calls, 30 s by default.
	OperationTimeout time.Duration
	// RevisionTimeout bounds how long the answer to an edit waits for its revision, 2 s by default, and ImageTimeout how long that to a
	// text with a featured image waits for the image too, 10 s by default.
	RevisionTimeout, ImageTimeout time.Duration
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
	l.OperationTimeout = cmp.Or(l.OperationTimeout, 30*time.Second)
	l.RevisionTimeout = cmp.Or(l.RevisionTimeout, 2*time.Second)
	l.ImageTimeout = cmp.Or(l.ImageTimeout, 10*time.Second)
	l.BodyTimeout = cmp.Or(l.BodyTimeout, 15*time.Second)
	l.BodyBytes = cmp.Or(l.BodyBytes, 16<<20)
	l.AccountBodyBytes = cmp.Or(l.AccountBodyBytes, 4<<20)
	l.CacheBytes = cmp.Or(l.CacheBytes, 64<<20)
	return l
}

// FieldManager owns the fields of what the facade creates.
const FieldManager = lifecycle.FacadeManager
