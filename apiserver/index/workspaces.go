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
	// Name of the namespace, which is the x-workspace-id (docs/reference/contract.md, Authentication).
	Name string
	// Account that owns it.
	Account string
	// Created is when the namespace was created.
	Created time.Time

	resourceVersion string
}

// Workspaces returns the workspaces of an account by name, without those that are being deleted.
func (x *Index) Workspaces(accountName string) []Workspace {
	x.mu.RLock()
	defer x.mu.RUnlock()
	namespaces := x.accounts[accountName]
	list := make([]Workspace, 0, len(namespaces))
	for _, ns := range namespaces {
		list = append(list, ns.workspace)
	}
	slices.SortFunc(list, func(a, b Workspace) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Workspace returns the workspace with this name, unless it is being deleted.
func (x *Index) Workspace(name string) (Workspace, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	w := x.view(name).workspace
	return w, w.Account != ""
}

func (x *Index) applyNamespace(ns *namespace, n *metav1.PartialObjectMetadata) {
	if olderVersion(n.ResourceVersion, ns.workspace.resourceVersion) {
		return
	}
	owner := n.Labels[v1alpha1.AccountLabel]
	if !n.DeletionTimestamp.IsZero() {
		owner = ""
	}
	x.assign(ns, owner)
	ns.workspace.Created = n.CreationTimestamp.Time
	ns.workspace.resourceVersion = n.ResourceVersion
}

func (x *Index) deleteNamespace(ns *namespace, _ *metav1.PartialObjectMetadata) {
	x.assign(ns, "")
	ns.workspace.resourceVersion = ""
}

// assign moves a namespace to an account, or to none.
func (x *Index) assign(ns *namespace, owner string) {
	name, previous := ns.workspace.Name, ns.workspace.Account
	delete(x.accounts[previous], name)
	if len(x.accounts[previous]) == 0 {
		delete(x.accounts, previous)
	}
	ns.workspace.Account = owner
	if owner == "" {
		return
	}
	if x.accounts[owner] == nil {
		x.accounts[owner] = map[string]*namespace{}
	}
	x.accounts[owner][name] = ns
}
