package index

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// MaxSites bounds what Sites returns (docs/reference/contract.md, Limits).
const MaxSites = 500

// Site holds the parts of a Site that lists need.
type Site struct {
	// ID is the _id over REST (docs/reference/contract.md, Site).
	ID string
	// UID of the site, as the REST API names it.
	UID string
	// Workspace that the site is in.
	Workspace string
	// Object is shared with the informer's cache: never change it or write it back.
	Object *v1alpha1.Site
}

// UpdatedAt returns when the settings of the site were last written, in whole seconds, and not before it was created.
func (s *Site) UpdatedAt() time.Time {
	updated := s.Object.CreatedAt()
	for _, m := range s.Object.ManagedFields {
		if m.Time != nil && m.Subresource == "" && m.Time.After(updated) {
			updated = m.Time.Time
		}
	}
	return updated
}

// age is the key by which the sites of an account are ordered.
func (s *Site) age() string {
	return s.ID + "/" + s.Workspace + "/" + s.Object.Name
}

// Sites returns the sites of an account, the oldest first, at most MaxSites. opens chooses workspaces; nil chooses all.
func (x *Index) Sites(accountName string, opens func(workspace string) bool) []Site {
	x.mu.RLock()
	defer x.mu.RUnlock()
	a := x.viewAccount(accountName)
	sites := make([]Site, 0, min(a.sites.Len(), MaxSites))
	a.sites.Scan(func(_ string, s *Site) bool {
		if opens == nil || opens(s.Workspace) {
			sites = append(sites, *s)
		}
		return len(sites) < MaxSites
	})
	return sites
}

// Site returns the site of a workspace with this uid. It takes the workspace because customers name their own objects: a
// Site elsewhere may carry the same uid.
func (x *Index) Site(workspace, uid string) (Site, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s, ok := x.view(workspace).siteUIDs[uid]
	if !ok {
		return Site{}, false
	}
	return *s, true
}

func (x *Index) applySite(ns *namespace, o *v1alpha1.Site) {
	if old, ok := ns.sites[o.Name]; ok {
		if olderVersion(o.ResourceVersion, old.Object.ResourceVersion) {
			return
		}
		ns.removeSite(old)
	}
	if o.DeletionTimestamp.IsZero() {
		s := SiteOf(o)
		ns.sites[o.Name] = &s
		ns.sitesByUID.add(s.UID, &s)
	}
}

func (x *Index) deleteSite(ns *namespace, o *v1alpha1.Site) {
	if s, ok := ns.sites[o.Name]; ok && s.Object.UID == o.UID {
		ns.removeSite(s)
	}
}

func (ns *namespace) removeSite(s *Site) {
	delete(ns.sites, s.Object.Name)
	ns.sitesByUID.remove(s.UID, s)
}

// SiteOf returns a site with its identifiers.
func SiteOf(o *v1alpha1.Site) Site {
	uid := identity.UID(identity.KindSite, o.Namespace, o.Name)
	return Site{ID: identity.RecordID(uid, o.CreatedAt()), UID: uid, Workspace: o.Namespace, Object: o}
}
