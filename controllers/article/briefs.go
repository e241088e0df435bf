package article

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/cache"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Briefs reads Briefs live, because no informer holds their texts. A Brief that does not exist is looked for once in lifecycle.BlockedPoll,
// even if many articles wait for it.
type Briefs struct {
	*base.Base
	// missing has the time until which a Brief is not looked for again, by its name.
	missing *cache.LRUExpireCache
}

// maxMissingBriefs bounds how many missing Briefs are remembered: those that were looked for last.
const maxMissingBriefs = 10_000

// NewBriefs returns a reader that remembers nothing.
func NewBriefs(b *base.Base) *Briefs {
	return &Briefs{Base: b, missing: cache.NewLRUExpireCacheWithClock(maxMissingBriefs, b.Clock)}
}

// of returns the Brief of an article's text; nil if it has none. It returns a *lifecycle.BlockedError if the Brief does not exist.
func (b *Briefs) of(ctx context.Context, t *task) (*v1alpha1.Brief, error) {
	name := brief.NameFor(t.article, t.site)
	if name == "" {
		return nil, nil
	}
	key := types.NamespacedName{Namespace: t.article.Namespace, Name: name}
	if value, ok := b.missing.Get(key); ok {
		if until, ok := value.(time.Time); ok && b.Clock.Now().Before(until) {
			return nil, briefNotFound(name, until.Sub(b.Clock.Now()))
		}
	}
	found, err := base.Read[v1alpha1.Brief](ctx, b.Live, key)
	if err != nil {
		return nil, err
	}
	if found == nil {
		b.missing.Add(key, b.Clock.Now().Add(lifecycle.BlockedPoll), lifecycle.BlockedPoll)
		return nil, briefNotFound(name, lifecycle.BlockedPoll)
	}
	b.missing.Remove(key)
	return found, nil
}

func briefNotFound(name string, after time.Duration) *lifecycle.BlockedError {
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonBriefNotFound, RetryAfter: after,
		Message: fmt.Sprintf("the Brief %q does not exist in this namespace; the article goes on when it does", name),
	}
}

// named names a Brief as a revision does; nil if there is none.
func named(b *v1alpha1.Brief) *v1alpha1.RevisionBrief {
	if b == nil {
		return nil
	}
	return &v1alpha1.RevisionBrief{Name: b.Name, Digest: brief.Digest(b.Spec)}
}

// addBrief adds a Brief to a request. The author's fields that lie over a generated text are known: they are no claims of the text. Those
// of a text that the author has written are the text.
func addBrief(request *generate.Request, b *v1alpha1.Brief, author *v1alpha1.ArticleContent) {
	m := brief.Material(b.Spec)
	if author != nil && !author.HasBody() {
		m.Known = append([]string{author.Title, author.MetaTitle, author.MetaDescription}, author.Tags...)
		for _, entry := range author.FAQ {
			m.Known = append(m.Known, entry.Question, entry.Answer)
		}
	}
	request.Material = &m
	request.Instructions = strings.TrimSpace(strings.TrimSpace(b.Spec.Instructions) + "\n\n" + strings.TrimSpace(request.Instructions))
}
