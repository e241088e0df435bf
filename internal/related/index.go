package related

import (
	"maps"
	"sync"
)

// Index has a Site for each site whose articles were compared: about 1,400 bytes for a published article, and 200 for another one. It
// makes a Site when an article of it is compared for the first time, and forgets it with its last article. It is safe for concurrent use.
type Index struct {
	mu    sync.Mutex
	sites map[siteKey]*siteEntry
}

type siteKey struct{ workspace, name string }

// siteEntry holds a Site. It is locked while the Site is made.
type siteEntry struct {
	sync.Mutex
	// site is nil until it is made.
	site *Site
}

// NewIndex returns an empty Index.
func NewIndex() *Index { return &Index{sites: map[siteKey]*siteEntry{}} }

// Site returns the articles of a site, in its language. If there are none yet, it indexes those that list returns.
func (x *Index) Site(workspace, name, language string, list func() ([]Article, error)) (*Site, error) {
	r := x.entry(siteKey{workspace, name})
	r.Lock()
	defer r.Unlock()
	if r.site == nil || r.site.Language != language {
		articles, err := list()
		if err != nil {
			return nil, err
		}
		r.site = NewSite(language, articles)
	}
	return r.site, nil
}

// Set updates an article in the Site of its site, if there is one. It waits until that is made.
func (x *Index) Set(workspace, site string, a Article) {
	x.mu.Lock()
	r := x.sites[siteKey{workspace, site}]
	x.mu.Unlock()
	if r == nil {
		return
	}
	r.Lock()
	defer r.Unlock()
	if r.site != nil {
		a.Language = r.site.Language
		r.site.Set(a)
	}
}

// Remove removes an article from the Site of its site.
func (x *Index) Remove(workspace, name string) {
	x.mu.Lock()
	all := maps.Clone(x.sites)
	x.mu.Unlock()
	for key, r := range all {
		if key.workspace == workspace {
			x.remove(key, r, name)
		}
	}
}

func (x *Index) remove(key siteKey, r *siteEntry, name string) {
	r.Lock()
	defer r.Unlock()
	if r.site == nil {
		return
	}
	r.site.Remove(name)
	if r.site.Len() == 0 {
		// A caller that has this entry already makes another Site in it, of the present articles.
		r.site = nil
		x.mu.Lock()
		defer x.mu.Unlock()
		delete(x.sites, key)
	}
}

// entry returns the entry of a site, and makes it if there is none.
func (x *Index) entry(key siteKey) *siteEntry {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.sites[key]
	if r == nil {
		r = &siteEntry{}
		x.sites[key] = r
	}
	return r
}
