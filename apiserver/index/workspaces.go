package index

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Workspace is a namespace that carries the label of an account.
type Workspace struct {
	// Name of the namespace: the x-workspace-id of the contract.
	Name string
	// Account that owns it.
	Account string
	// Created is when the namespace was made.
	Created time.Time

	resourceVersion string
}

// Workspaces returns the workspaces of an account by name. Those that are being deleted are left out.
func (x *Index) Workspaces(accountName string) []Workspace {
	x.mu.RLock()
	defer x.mu.RUnlock()
	a, ok := x.accounts[accountName]
	if !ok {
		return nil
	}
	list := make([]Workspace, 0, len(a.rooms))
	for _, r := range a.rooms {
		list = append(list, r.workspace)
	}
	slices.SortFunc(list, func(a, b Workspace) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Workspace returns the workspace with this name, unless it is being deleted.
func (x *Index) Workspace(name string) (Workspace, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	r, ok := x.rooms[name]
	if !ok || r.workspace.Account == "" {
		return Workspace{}, false
	}
	return r.workspace, true
}

func (x *Index) putNamespace(n *metav1.PartialObjectMetadata) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.roomFor(n.Name)
	if olderVersion(n.ResourceVersion, r.workspace.resourceVersion) {
		return
	}
	owner := n.Labels[v1alpha1.AccountLabel]
	if !n.DeletionTimestamp.IsZero() {
		owner = ""
	}
	x.give(r, owner)
	r.workspace.Created = n.CreationTimestamp.Time
	r.workspace.resourceVersion = n.ResourceVersion
	x.leave(r)
}

func (x *Index) removeNamespace(n *metav1.PartialObjectMetadata) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r, ok := x.rooms[n.Name]
	if !ok {
		return
	}
	x.give(r, "")
	r.workspace.resourceVersion = ""
	x.leave(r)
}

// give moves a room with its sites to an account, or to none.
func (x *Index) give(r *room, owner string) {
	if r.workspace.Account == owner {
		return
	}
	if a, ok := x.accounts[r.workspace.Account]; ok {
		delete(a.rooms, r.workspace.Name)
		for _, s := range r.sites {
			a.sites.Delete(s.age())
		}
		if len(a.rooms) == 0 {
			delete(x.accounts, r.workspace.Account)
		}
	}
	r.workspace.Account = owner
	if owner == "" {
		return
	}
	a, ok := x.accounts[owner]
	if !ok {
		a = &account{rooms: map[string]*room{}}
		x.accounts[owner] = a
	}
	a.rooms[r.workspace.Name] = r
	for _, s := range r.sites {
		a.sites.Set(s.age(), s)
	}
}
