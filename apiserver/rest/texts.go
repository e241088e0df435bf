package rest

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// text is the text of an article, ready to be sent.
type text struct {
	document content.Document
	html     string
	// digest and scores are of the revision; empty and nil if the text is not a revision yet.
	digest string
	scores *v1alpha1.Scores
	// generator is what wrote the revision; nil if an author did.
	generator *v1alpha1.GeneratorRecord
	// number, source and creation time of the revision.
	number  int32
	source  v1alpha1.RevisionSource
	created time.Time
}

// newText renders a document. A text that cannot be rendered, which kubectl may have stored, has no HTML.
func newText(document content.Document) *text {
	html, err := content.HTML(document.Markdown)
	if err != nil {
		html = ""
	}
	return &text{document: document, html: html}
}

// size returns about how many bytes the text takes in memory.
func (t *text) size() int64 {
	n := 1024 + len(t.html) + len(t.document.Markdown) + len(t.document.Title) + len(t.document.MetaDescription)
	for _, f := range t.document.FAQ {
		n += len(f.Question) + len(f.Answer)
	}
	return int64(n)
}

// textKey identifies a text for ever: a revision never changes, and its digest, or the UID of the article that owns it, differs from that
// of a later article of the same name. A text that is no revision has a digest only.
type textKey struct {
	namespace, revision, digest string
	owner                       types.UID
}

// names reports whether a revision is the one that the key is for.
func (k textKey) names(rev *v1alpha1.ArticleRevision) bool {
	if k.digest != "" {
		return rev.Spec.Digest == k.digest
	}
	owner := metav1.GetControllerOf(rev)
	return owner != nil && owner.UID == k.owner
}

// texts reads revisions, and caches the most recently used texts with their HTML.
type texts struct {
	articles *articles
	limit    int64
	flights  singleflight.Group

	mu     sync.Mutex
	cached map[textKey]*list.Element
	order  *list.List
	bytes  int64
}

type cachedText struct {
	key  textKey
	text *text
}

func newTexts(a *articles, limit int64) *texts {
	return &texts{articles: a, limit: limit, cached: map[textKey]*list.Element{}, order: list.New()}
}

// of returns the current text of an article that has a revision, of a published article the text that its site has.
func (t *texts) of(ctx context.Context, a *v1alpha1.Article) (*text, error) {
	r, p := a.Status.Revision, a.Status.Publication
	if !lifecycle.Published(a) {
		return t.revision(ctx, textKey{namespace: a.Namespace, revision: r.Name, digest: r.Digest})
	}
	live, err := t.revision(ctx, textKey{namespace: a.Namespace, revision: p.Revision.Name, digest: p.Revision.Digest})
	if err == nil && live.digest != p.Revision.Digest {
		// An article that was created again has another text under the name.
		return nil, apierrors.NewNotFound(v1alpha1.GroupVersion.WithResource("articlerevisions").GroupResource(), p.Revision.Name)
	}
	return live, err
}

// earlier returns the text of an earlier revision of an article; nil if the article has none of this number.
func (t *texts) earlier(ctx context.Context, a *v1alpha1.Article, number int32) (*text, error) {
	name := identity.RevisionName(a.Name, identity.UID(identity.KindArticle, a.Namespace, a.Name), number)
	found, err := t.revision(ctx, textKey{namespace: a.Namespace, revision: name, owner: a.UID})
	if apierrors.IsNotFound(err) || errors.Is(err, errOther) {
		return nil, nil
	}
	return found, err
}

// errOther means that a revision belongs to another article of the name.
var errOther = errors.New("the revision belongs to another article")

// revision returns the text of a revision.
func (t *texts) revision(ctx context.Context, key textKey) (*text, error) {
	if found := t.find(key); found != nil {
		return found, nil
	}
	return share(ctx, &t.flights, fmt.Sprint(key), func(ctx context.Context) (*text, error) { return t.read(ctx, key) })
}

// rendered returns the text of a document that is no revision.
func (t *texts) rendered(document content.Document) *text {
	key := textKey{digest: document.Digest()}
	if found := t.find(key); found != nil {
		return found
	}
	made := newText(document)
	t.put(key, made)
	return made
}

func (t *texts) read(ctx context.Context, key textKey) (*text, error) {
	rev, err := t.articles.revision(ctx, client.ObjectKey{Namespace: key.namespace, Name: key.revision})
	if err != nil {
		return nil, err
	}
	named := key.names(rev)
	if !named && key.digest == "" {
		return nil, errOther
	}
	document := revision.Document(rev)
	found := newText(document)
	found.digest, found.scores = rev.Spec.Digest, &rev.Spec.Scores
	found.generator, found.number, found.source = rev.Spec.Generator, rev.Spec.Number, rev.Spec.Source
	found.created = rev.CreationTimestamp.Time
	if named {
		t.put(key, found)
	}
	return found, nil
}

func (t *texts) find(key textKey) *text {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.cached[key]
	if !ok {
		return nil
	}
	t.order.MoveToFront(e)
	return e.Value.(*cachedText).text //nolint:forcetypeassert,errcheck // nothing else is put in
}

func (t *texts) put(key textKey, found *text) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.cached[key]; ok {
		return
	}
	t.cached[key] = t.order.PushFront(&cachedText{key, found})
	t.bytes += found.size()
	for t.bytes > t.limit {
		oldest := t.order.Remove(t.order.Back()).(*cachedText) //nolint:forcetypeassert,errcheck // nothing else is put in
		delete(t.cached, oldest.key)
		t.bytes -= oldest.text.size()
	}
}
