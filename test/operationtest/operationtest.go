// Package operationtest has a REST API over fakes, for the tests of operations. Fakes prove which input an operation takes, which errors it
// answers with, and how often it calls: what kube-apiserver does is proved on a real one, in package apiserver.
package operationtest

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testingclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// What the tests ask about: two accounts with a workspace each.
const (
	systemNamespace = "pressroom-system"
	Workspace       = "acme-blog"
	OtherWorkspace  = "rival-blog"
	SiteUID         = "0198f0a1-0000-7000-8000-000000000001"
	OtherSiteUID    = "0198f0a1-0000-7000-8000-000000000002"
	RightKey        = "right"
	ReadOnlyKey     = "read-only"
	LimitedKey      = "limited"
	WriterKey       = "writer"
	AppToken        = "token"
	ScopelessKey    = "scopeless"
	ManagerKey      = "manager"
	// OtherApproverKey is that of Jo, who may do what Mara with RightKey may.
	OtherApproverKey = "other-approver"
)

// Began is the time at which the tests begin.
var Began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// API is a REST API over fakes. Fields may be changed before the first request.
type API struct {
	T       testing.TB
	Deps    rest.Deps
	Index   *index.Index
	Ledger  *fakeLedger
	Objects *fakeObjects
	Clock   *testingclock.FakeClock
	Synced  bool
	Account fakeAccount
	Clients int64

	alone bool
	mu    sync.Mutex
	// own is its handler, if it shares none.
	own http.Handler
}

// New returns one that has a site in each workspace. It shares its handler with others.
func New(tb testing.TB) *API {
	tb.Helper()
	clock := testingclock.NewFakeClock(Began)
	api := &API{
		T: tb, Clock: clock, Ledger: &fakeLedger{}, Objects: newFakeObjects(),
		Index: index.New(clock), Synced: true,
	}
	api.Deps = rest.Deps{
		Deps: operation.Deps{
			Authenticator: fakeKeys{}, Index: api.Index, Accounts: &api.Account, Synced: func() bool { return api.Synced },
			Client: kube.NewClient(api.Objects, 0), SystemNamespace: systemNamespace, Clock: clock,
		},
		Ledger: api.Ledger,
		OAuth: oauthclient.Deps{
			Clients: &FakeClients{Clients: map[string]*v1alpha1.OAuthClient{}},
			Count:   func(context.Context, string) (int64, error) { return api.Clients, nil },
			Counts:  func(context.Context, string) bool { return true },
			// Nobody has given access.
			Grants: oauth.NewGrants(oauth.Store{Cache: api.Objects, Clock: clock}, nil),
		},
	}
	api.Namespace(Workspace, "acme")
	api.Namespace(OtherWorkspace, "rival")
	api.Site(Workspace, SiteUID)
	api.Site(OtherWorkspace, OtherSiteUID)
	return api
}

// NewAlone returns one that shares its handler with no other, for a test of what a replica remembers.
func NewAlone(tb testing.TB) *API {
	tb.Helper()
	api := New(tb)
	api.alone = true
	return api
}

// Namespace adds a workspace of an account to the index.
func (api *API) Namespace(name, account string) {
	n := index.NamespaceMetadata()
	n.Name, n.Labels = name, map[string]string{v1alpha1.AccountLabel: account}
	n.CreationTimestamp = metav1.NewTime(Began)
	api.Index.Handlers().Namespaces.OnAdd(n, false)
}

// Site adds a site to the index.
func (api *API) Site(namespace, name string) *v1alpha1.Site {
	s := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, CreationTimestamp: metav1.NewTime(Began)},
		Spec:       v1alpha1.SiteSpec{Domain: "blog.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}},
	}
	api.Index.Handlers().Sites.OnAdd(s, false)
	return s
}

// Brief adds a brief to kube-apiserver and to the index.
func (api *API) Brief(name string, spec v1alpha1.BriefSpec) *v1alpha1.Brief {
	b := &v1alpha1.Brief{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: Workspace, Name: name, UID: types.UID(name), Generation: 1, CreationTimestamp: metav1.NewTime(Began),
		},
		Spec: spec,
	}
	api.Objects.Add(b)
	api.IndexedBrief(b)
	return b
}

// IndexedBrief has the index see a brief.
func (api *API) IndexedBrief(b *v1alpha1.Brief) {
	seen := index.BriefMetadata()
	seen.ObjectMeta = *b.ObjectMeta.DeepCopy()
	api.Index.Handlers().Briefs.OnAdd(seen, false)
}

// Article adds an article to kube-apiserver and to the index.
func (api *API) Article(change func(*v1alpha1.Article)) *v1alpha1.Article {
	api.T.Helper()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: Workspace, Name: identity.NewName(), UID: "u", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(Began),
		},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: SiteUID}, Stage: v1alpha1.StageReview,
			Generate: &v1alpha1.GenerateRequest{Keyword: "trail shoes"},
		},
	}
	if change != nil {
		change(a)
	}
	api.Objects.Articles[client.ObjectKeyFromObject(a)] = a
	api.Indexed(a)
	return a
}

// Indexed has the index see an article as it is.
func (api *API) Indexed(a *v1alpha1.Article) {
	api.T.Helper()
	cached, err := api.Index.Transform()(a.DeepCopy())
	if err != nil {
		api.T.Fatal(err)
	}
	api.Index.Handlers().Articles.OnAdd(cached, false)
}

// AnyUID is the uid of no object.
const AnyUID = "0198f0a1-0000-7000-8000-00000000aaaa"

// Milliseconds formats a time as answers do.
func Milliseconds(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
