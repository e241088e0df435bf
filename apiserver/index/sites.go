package index

import (
	"cmp"
	"maps"
	"slices"
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

func (s *Site) name() string { return s.Object.Name }

func (s *Site) uid() string { return s.UID }

// compareAge orders sites by age.
func compareAge(a, b *Site) int {
	if a.ID != b.ID {
		return cmp.Compare(a.ID, b.ID)
	}
	return cmp.Or(cmp.Compare(a.Workspace, b.Workspace), cmp.Compare(a.Object.Name, b.Object.Name))
}

// Sites returns the sites of an account, the oldest first, at most MaxSites. opens chooses workspaces; nil chooses all.
func (x *Index) Sites(accountName string, opens func(workspace string) bool) []Site {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []*Site
	for _, ns := range x.accounts[accountName] {
		if opens == nil || opens(ns.workspace.Name) {
			all = slices.AppendSeq(all, maps.Values(ns.sites.byName))
		}
	}
	slices.SortFunc(all, compareAge)
	sites := make([]Site, min(len(all), MaxSites))
	for i := range sites {
		sites[i] = *all[i]
	}
	return sites
}

// Site returns the site of a workspace with this uid. It takes the workspace because customers name their own objects: a
// Site elsewhere may carry the same uid.
func (x *Index) Site(workspace, uid string) (Site, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s, ok := x.view(workspace).sites.get(uid)
	if !ok {
		return Site{}, false
	}
	return *s, true
}

func (x *Index) applySite(ns *namespace, o *v1alpha1.Site) {
	if old, ok := ns.sites.byName[o.Name]; ok {
		if olderVersion(o.ResourceVersion, old.Object.ResourceVersion) {
			return
		}
		ns.sites.remove(old)
	}
	if o.DeletionTimestamp.IsZero() {
		s := SiteOf(o)
		ns.sites.add(&s)
	}
}

func (x *Index) deleteSite(ns *namespace, o *v1alpha1.Site) {
	if s, ok := ns.sites.byName[o.Name]; ok && s.Object.UID == o.UID {
		ns.sites.remove(s)
	}
}

// SiteOf returns a site with its identifiers.
func SiteOf(o *v1alpha1.Site) Site {
	uid := identity.UID(identity.KindSite, o.Namespace, o.Name)
	return Site{ID: identity.RecordID(uid, o.CreatedAt()), UID: uid, Workspace: o.Namespace, Object: o}
}
