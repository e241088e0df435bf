package related

import (
	"maps"
	"slices"
	"sync"
)

// maxIndexed bounds the articles that are indexed, of all sites together: about 1,000 bytes for a published one, 200 for another.
const maxIndexed = 200_000

// Memory has the indexes of sites. It makes one when an article of the site is compared for the first time, and forgets those that were
// not asked for longest. It is safe for concurrent use.
type Memory struct {
	mu sync.Mutex
	// sites by workspace and name.
	sites map[string]map[string]*remembered
	// used counts the uses.
	used uint64
}

// remembered is the place of a site's index.
type remembered struct {
	// making is held while the index is made.
	making sync.Mutex
	// site is nil until it is made. It and used, which says when it was asked for last, are guarded by the memory's lock.
	site *Site
	used uint64
}

// NewMemory returns a Memory of nothing.
func NewMemory() *Memory { return &Memory{sites: map[string]map[string]*remembered{}} }

// Site returns the index of a site in a language. If there is none, it is made of the articles that list returns.
func (m *Memory) Site(workspace, name, language string, list func() ([]Article, error)) (*Site, error) {
	r := m.remember(workspace, name)
	r.making.Lock()
	defer r.making.Unlock()
	if s := m.siteOf(r); s != nil && s.Language == language {
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
	r := m.sites[workspace][site]
	m.mu.Unlock()
	if r == nil {
		return
	}
	r.making.Lock()
	defer r.making.Unlock()
	if s := m.siteOf(r); s != nil {
		a.Language = s.Language
		s.Set(a)
	}
}

// Remove removes an article from the index of its site.
func (m *Memory) Remove(workspace, name string) {
	m.mu.Lock()
	all := slices.Collect(maps.Values(m.sites[workspace]))
	m.mu.Unlock()
	for _, r := range all {
		r.making.Lock()
		if s := m.siteOf(r); s != nil {
			s.Remove(name)
		}
		r.making.Unlock()
	}
}

// remember returns the place of a site's index.
func (m *Memory) remember(workspace, name string) *remembered {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sites[workspace] == nil {
		m.sites[workspace] = map[string]*remembered{}
	}
	r := m.sites[workspace][name]
	if r == nil {
		r = &remembered{}
		m.sites[workspace][name] = r
	}
	m.used++
	r.used = m.used
	return r
}

func (m *Memory) siteOf(r *remembered) *Site {
	m.mu.Lock()
	defer m.mu.Unlock()
	return r.site
}

// keep sets the index of a place, and forgets others if there are too many articles.
func (m *Memory) keep(r *remembered, s *Site) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.site = s
	for m.forgetOldest(r) {
	}
}

// forgetOldest forgets the index that was not asked for longest, other than one, if there are too many articles, and reports whether it
// did.
func (m *Memory) forgetOldest(but *remembered) bool {
	total := 0
	var workspace, name string
	var oldest *remembered
	for w, sites := range m.sites {
		for n, r := range sites {
			if r.site == nil {
				continue
			}
			total += r.site.Len()
			if r != but && (oldest == nil || r.used < oldest.used) {
				workspace, name, oldest = w, n, r
			}
		}
	}
	if total <= maxIndexed || oldest == nil {
		return false
	}
	if delete(m.sites[workspace], name); len(m.sites[workspace]) == 0 {
		delete(m.sites, workspace)
	}
	return true
}
