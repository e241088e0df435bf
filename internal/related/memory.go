package related

import (
	"maps"
	"sync"
	"sync/atomic"
)

// maxIndexed bounds the articles that are indexed, of all sites together: about 1,400 bytes for a published one, 200 for another.
const maxIndexed = 200_000

// Memory has the indexes of sites. It makes one when an article of the site is compared for the first time, and forgets those that were
// not asked for longest. It is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	sites map[siteKey]*remembered
	// used counts the uses.
	used uint64
}

type siteKey struct{ workspace, name string }

// remembered is the place of a site's index.
type remembered struct {
	// making is held while the index is made.
	making sync.Mutex
	// site is nil until it is made.
	site atomic.Pointer[Site]
	// used says when it was asked for last. The memory's lock guards it.
	used uint64
}

// NewMemory returns a Memory of nothing.
func NewMemory() *Memory { return &Memory{sites: map[siteKey]*remembered{}} }

// Site returns the index of a site in a language. If there is none, it is made of the articles that list returns.
func (m *Memory) Site(workspace, name, language string, list func() ([]Article, error)) (*Site, error) {
	r := m.remember(siteKey{workspace, name})
	r.making.Lock()
	defer r.making.Unlock()
	if s := r.site.Load(); s != nil && s.Language == language {
		return s, nil
	}
	articles, err := list()
	if err != nil {
		return nil, err
	}
	s := NewSite(language, articles)
	m.keep(r, s)
	return s, nil
}

// Set brings an article up to date in the index of its site, if there is one. It waits until that is made.
func (m *Memory) Set(workspace, site string, a Article) {
	m.mu.Lock()
	r := m.sites[siteKey{workspace, site}]
	m.mu.Unlock()
	if r == nil {
		return
	}
	r.making.Lock()
	defer r.making.Unlock()
	if s := r.site.Load(); s != nil {
		a.Language = s.Language
		s.Set(a)
	}
}

// Remove removes an article from the index of its site.
func (m *Memory) Remove(workspace, name string) {
	m.mu.Lock()
	all := maps.Clone(m.sites)
	m.mu.Unlock()
	for key, r := range all {
		if key.workspace != workspace {
			continue
		}
		r.making.Lock()
		if s := r.site.Load(); s != nil {
			s.Remove(name)
		}
		r.making.Unlock()
	}
}

// remember returns the place of a site's index.
func (m *Memory) remember(key siteKey) *remembered {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.sites[key]
	if r == nil {
		r = &remembered{}
		m.sites[key] = r
	}
	m.used++
	r.used = m.used
	return r
}

// keep sets the index of a place, and forgets others if there are too many articles.
func (m *Memory) keep(r *remembered, s *Site) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.site.Store(s)
	for m.forgetOldest(r) {
	}
}

// forgetOldest forgets the index that was not asked for longest, other than one, if there are too many articles, and reports whether it
// did.
func (m *Memory) forgetOldest(but *remembered) bool {
	total := 0
	var oldest siteKey
	var found *remembered
	for key, r := range m.sites {
		site := r.site.Load()
		if site == nil {
			continue
		}
		total += site.Len()
		if r != but && (found == nil || r.used < found.used) {
			oldest, found = key, r
		}
	}
	if total <= maxIndexed || found == nil {
		return false
	}
	delete(m.sites, oldest)
	return true
}
