package article

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

const (
	// maxConnections bounds the Sites whose connections are remembered, and connectionAge how long each is.
	maxConnections = 1000
	connectionAge  = time.Second
	// maxWritten bounds the articles whose last write is remembered, and writtenAge how long each is.
	maxWritten = 10_000
	writtenAge = time.Minute
)

// connections shares what attempts at a Site read from kube-apiserver: whether its spec is the cached one, and the Secrets of its
// connection. An attempt uses an earlier read only if that began less than a second ago, and after somebody else has last written the
// attempt's article: whatever they changed before the article is used. This process itself writes an article that waits for a slot.
type connections struct {
	// recent has a connection for each UID of a Site, and written a written for each UID of an article.
	recent, written *cache.LRUExpireCache

	mu sync.Mutex
	// latestVersion is the highest resourceVersion of an article that this process has observed.
	latestVersion string
}

// connection is a target that was read, and the latestVersion when reading began.
type connection struct {
	target   publish.Target
	observed string
}

// written is the last write of an article by this process.
type written struct {
	// version is the resourceVersion that the write made, and others the last one that somebody else has made.
	version, others string
}

func newConnections(clock clock.PassiveClock) *connections {
	return &connections{
		recent:        cache.NewLRUExpireCacheWithClock(maxConnections, clock),
		written:       cache.NewLRUExpireCacheWithClock(maxWritten, clock),
		latestVersion: "1",
	}
}

// observeWrite takes note that this process has written an article that had the resourceVersion before.
func (c *connections) observeWrite(a *v1alpha1.Article, before string) {
	c.written.Add(a.UID, written{a.ResourceVersion, c.writtenByOthers(a.UID, before)}, writtenAge)
}

// writtenByOthers returns the resourceVersion of the last write of an article that somebody else has made. The article has this version,
// which is returned if this process does not remember that it has made it.
func (c *connections) writtenByOthers(article types.UID, version string) string {
	found, _ := c.written.Get(article)
	if last, ok := found.(written); ok && last.version == version {
		return last.others
	}
	return version
}

// observeVersion takes note of the resourceVersion of an article, and returns the highest one.
func (c *connections) observeVersion(a *v1alpha1.Article) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if newer(a.ResourceVersion, c.latestVersion) {
		c.latestVersion = a.ResourceVersion
	}
	return c.latestVersion
}

// newer reports whether a resourceVersion of an article is later than another one, or cannot be compared.
func newer(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err != nil || order > 0
}

// connect returns what an attempt needs to reach the site of its article. It returns a conflict if the cached Site is outdated, and a
// *lifecycle.BlockedError if a Secret cannot be used.
func (p *Publication) connect(ctx context.Context, t *task) (publish.Target, error) {
	latest := p.connections.observeVersion(t.article)
	others := p.connections.writtenByOthers(t.article.UID, t.article.ResourceVersion)
	found, _ := p.connections.recent.Get(t.site.UID)
	known, ok := found.(connection)
	if ok && known.target.Site.Generation == t.site.Generation && !newer(others, known.observed) {
		return known.target, nil
	}
	if err := base.RequireSpec(ctx, t.base, "sites", t.site); err != nil {
		return publish.Target{}, err
	}
	target, err := t.base.Connect(ctx, p.HTTP, t.site, connectors.For(t.site).Connection(t.site))
	if err == nil {
		p.connections.recent.Add(t.site.UID, connection{target, latest}, connectionAge)
	}
	return target, err
}
