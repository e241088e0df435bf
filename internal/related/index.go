package related

import (
	"maps"
	"sync"
)

// Index has a Site for each site whose articles were compared: about 1,400 bytes for a published article, and 200 for another one. It
// makes a Site when an article of it is compared for the first time, and forgets it with its last article. It is safe for concurrent use.
type Index struct {
	mu sync.Mutex
	// workspaces has the entries of the sites of each workspace, by name.
	workspaces map[string]map[string]*siteEntry
}

// siteEntry holds a Site. It is locked while the Site is made.
type siteEntry struct {
	sync.Mutex
	// site is nil until it is made.
	site *Site
}

// NewIndex returns an empty Index.
func NewIndex() *Index { return &Index{workspaces: map[string]map[string]*siteEntry{}} }

// Site returns the articles of a site, in its language. If there are none yet, it indexes those that list returns.
func (x *Index) Site(workspace, name, language string, list func() ([]Article, error)) (*Site, error) {
	r := x.entry(workspace, name)
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
	r := x.workspaces[workspace][site]
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
	sites := maps.Clone(x.workspaces[workspace])
	x.mu.Unlock()
	for site, r := range sites {
		x.remove(workspace, site, r, name)
	}
}

func (x *Index) remove(workspace, site string, r *siteEntry, name string) {
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
		if delete(x.workspaces[workspace], site); len(x.workspaces[workspace]) == 0 {
			delete(x.workspaces, workspace)
		}
	}
}

// entry returns the entry of a site, and makes it if there is none.
func (x *Index) entry(workspace, site string) *siteEntry {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.workspaces[workspace] == nil {
		x.workspaces[workspace] = map[string]*siteEntry{}
	}
	r := x.workspaces[workspace][site]
	if r == nil {
		r = &siteEntry{}
		x.workspaces[workspace][site] = r
	}
	return r
}
