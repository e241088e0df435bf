// Package article has the operations on one article: create, get, edit and delete it, and its texts. The packages of the other operations
// on articles find, change and present articles with it.
package article

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/readthrough"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

const (
	// missingFor is how long an article counts as missing after kube-apiserver did not have it, unless the index has it before.
	missingFor = 2 * time.Second
	// missesPerSecond and missesAtOnce bound the articles of one account that kube-apiserver does not have either: anybody can make up
	// uids, and all accounts share the replica's requests.
	missesPerSecond = 10
	missesAtOnce    = 100
	// statusBytes bounds the memory for whole statuses: about 1000 of them.
	statusBytes = 8 << 20
)

// Articles finds, changes and presents articles.
type Articles struct {
	*operation.Core

	// texts caches the texts of revisions, with their HTML.
	texts *readthrough.Cache[textKey, *Text]
	// arriving are articles that the index does not have yet.
	arriving *readthrough.Cache[client.ObjectKey, *v1alpha1.Article]
	// whole are articles with what the index does not hold of their statuses: pages that are open ask again and again.
	whole *readthrough.Cache[stateKey, *v1alpha1.Article]
	// waiting are the answers that wait for the controller.
	waiting waiting
	ledger  Ledger
}

// Ledger counts the credits of API keys that have a limit.
type Ledger interface {
	// Apply changes the ledger of an account. It returns the error of the function, or that of a ledger that was not written.
	Apply(ctx context.Context, account string, change func(*v1alpha1.AccountLedgerSpec) error) error
}

// stateKey identifies an article in one state.
type stateKey struct {
	client.ObjectKey

	uid     types.UID
	version string
}

// New returns the articles of an API.
func New(core *operation.Core, ledger Ledger) *Articles {
	return &Articles{
		Core: core, ledger: ledger,
		texts: readthrough.New[textKey](readthrough.Options[*Text]{Cost: (*Text).size, Most: core.Limits.CacheBytes, Clock: core.Clock}),
		arriving: readthrough.New[client.ObjectKey](readthrough.Options[*v1alpha1.Article]{
			MissingFor: missingFor, Clock: core.Clock, Misses: middleware.NewThrottle(core.Clock, missesPerSecond, missesAtOnce),
		}),
		whole: readthrough.New[stateKey](readthrough.Options[*v1alpha1.Article]{
			Cost: func(a *v1alpha1.Article) int64 { return 8<<10 + lifecycle.TextBytes(a) }, Most: statusBytes, Clock: core.Clock,
		}),
	}
}

const (
	articlesPath  = "/v1/api/blogs"
	articlePath   = articlesPath + "/{uid}"
	revisionsPath = articlePath + "/revisions"
	revisionPath  = revisionsPath + "/{number}"
)

// Register adds the operations.
func (s *Articles) Register() {
	Get.Handle(s.Core, s.getArticle)
	Create.Handle(s.Core, s.createArticle)
	Update.Handle(s.Core, s.edit)
	Delete.Handle(s.Core, s.Delete)
	ListRevisions.Handle(s.Core, s.listRevisions)
	GetRevision.Handle(s.Core, s.getRevision)
	RestoreRevision.Handle(s.Core, s.restoreRevision)
	ListTransitions.Handle(s.Core, s.listArticleTransitions)
	GetHistory.Handle(s.Core, s.getHistory)
	OpenEditor.Handle(s.Core, s.openEditor)
	Regenerate.Handle(s.Core, s.Regenerate)
	Redeliver.Handle(s.Core, s.Redeliver)
	Unpublish.Handle(s.Core, s.Unpublish)
}

// Item is an article with what is derived from it. It comes from the index or from kube-apiserver.
type Item struct {
	index.Article
	// live is true if the object was read from kube-apiserver: it has the author's text then.
	live bool
	// other is true if the text is asked for that the site of a published article does not have yet.
	other bool
}

func (s *Articles) liveItem(a *v1alpha1.Article) Item {
	return Item{live: true, Article: index.ArticleOf(a, lifecycle.Phase(a, siteOrNil(s.Core, a), s.Clock.Now()))}
}

// Find returns an article from the index, or from kube-apiserver if the index of this replica does not have it yet.
func (s *Articles) Find(ctx context.Context, c *operation.Call, uid string) (Item, error) {
	if !identity.IsUID(uid) {
		return Item{}, problem.NotFound("article")
	}
	if found, ok := s.Index.Get(c.Workspace, uid); ok {
		return Item{Article: found}, nil
	}
	key := client.ObjectKey{Namespace: c.Workspace, Name: uid}
	return s.live(s.arriving.Get(ctx, c.Principal.Account, key, func(ctx context.Context) (*v1alpha1.Article, error) {
		return s.get(ctx, key)
	}))
}

// FindWhole returns an article with its whole status: the index does not hold the attempts and the transitions. Its text may be missing.
func (s *Articles) FindWhole(ctx context.Context, c *operation.Call, uid string) (Item, error) {
	found, err := s.Find(ctx, c, uid)
	if err != nil || found.live {
		return found, err
	}
	state := stateKey{client.ObjectKeyFromObject(found.Object), found.Object.UID, found.Object.ResourceVersion}
	return s.live(s.whole.Get(ctx, c.Principal.Account, state, func(ctx context.Context) (*v1alpha1.Article, error) {
		return s.get(ctx, client.ObjectKeyFromObject(found.Object))
	}))
}

func (s *Articles) locate(ctx context.Context, c *operation.Call, uid string) (client.ObjectKey, error) {
	found, err := s.Find(ctx, c, uid)
	if err != nil {
		return client.ObjectKey{}, err
	}
	return client.ObjectKeyFromObject(found.Object), nil
}

// get reads an article from kube-apiserver.
func (s *Articles) get(ctx context.Context, key client.ObjectKey) (*v1alpha1.Article, error) {
	a := &v1alpha1.Article{}
	return a, s.Client.Get(ctx, key, a)
}

// live returns an article that was read from kube-apiserver.
func (s *Articles) live(a *v1alpha1.Article, err error) (Item, error) {
	if err != nil {
		return Item{}, err
	}
	if !a.DeletionTimestamp.IsZero() {
		return Item{}, problem.NotFound("article")
	}
	return s.liveItem(a), nil
}

// full returns the article with its text: that of its revision, or what the author has written since. What the index does not hold of it,
// or not any more, is read from kube-apiserver.
func (s *Articles) full(ctx context.Context, i Item) (*Output, error) {
	if i.live || !s.showsEdited(i) {
		current, err := s.currentText(ctx, i)
		if err == nil {
			return s.output(ctx, i, current)
		}
		if !apierrors.IsNotFound(err) {
			return nil, err
		}
	}
	newest, err := s.live(s.get(ctx, client.ObjectKeyFromObject(i.Object)))
	if err != nil {
		return nil, err
	}
	newest.other = i.other
	r, earlier := newest.Object.Status.Revision, i.Object.Status.Revision
	if !i.live || r != nil && earlier != nil && r.Name != earlier.Name {
		return s.full(ctx, newest)
	}
	return s.withoutRevision(ctx, newest)
}

// withoutRevision returns an article whose revision does not exist. Either the controller makes it again from the manifest, or the text is
// lost and status_message says so.
func (s *Articles) withoutRevision(ctx context.Context, i Item) (*Output, error) {
	a := i.Object
	current, err := s.composedText(ctx, a)
	if err != nil {
		return nil, err
	}
	if current != nil && lifecycle.Published(a) && !i.other && current.Document.Digest() != lifecycle.Have(a).Revision.Digest {
		current = nil
	}
	return s.output(ctx, i, current)
}
