// Package index answers lists from memory: articles newest first, sites and workspaces of an account. Informer events
// feed it, and no request sorts, scans or reads from kube-apiserver (docs/contributing/design.md, Lists from memory).
package index

import (
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Index holds what the informers have seen. Its methods may be called from any goroutine.
type Index struct {
	// clock decides whether the time of a scheduled article has come.
	clock clock.PassiveClock

	mu         sync.RWMutex
	namespaces map[string]*namespace
	accounts   map[string]*account
	// due has the articles that wait for their spec.publishAfter, by time.
	due btree.Map[string, *entry]

	// arriving are the published articles whose events have not come yet.
	arriving arrivals
	watchers watchers

	// synced are those of the informers; nil until all of them are registered.
	synced atomic.Pointer[[]toolscache.InformerSynced]
}

// New returns an empty Index. Register feeds it.
func New(c clock.PassiveClock) *Index {
	return &Index{
		clock: c, namespaces: map[string]*namespace{}, accounts: map[string]*account{},
		arriving: arrivals{articles: map[client.ObjectKey]arrival{}},
	}
}

// namespace has the objects of one namespace. Its account is empty if the namespace is not, or no longer, a workspace: events of
// different informers come in any order.
type namespace struct {
	workspace Workspace
	sites     map[string]*Site
	siteUIDs  map[string]*Site
	articles  map[string]*entry
	uids      map[string]*entry
	// articleUIDs, ids and sitesByUID decide which object has a uid or an _id.
	articleUIDs, ids uniqueKeys[*entry]
	sitesByUID       uniqueKeys[*Site]
	// trees hold the articles by _id: all of them under the empty key, and those of each site, status and state of publication.
	trees trees
	// usage counts the articles, and subscriptions are those to events, by name.
	usage         Usage
	subscriptions map[string]types.UID
	// published hold those that are published by the time of publication, planned those that are not by the time that was asked for.
	published, planned trees
	// changed hold those whose last change is not their publication, by its time: updated ones, and those of gone.
	changed trees
	// gone have the articles that were deleted, by the names of their Posts.
	gone map[string]*entry
}

// account has the namespaces and sites of one account.
type account struct {
	namespaces map[string]*namespace
	// sites by age.
	sites btree.Map[string, *Site]
}

// namespaceFor returns the entry of a namespace, a new one if there is none.
func (x *Index) namespaceFor(name string) *namespace {
	ns, ok := x.namespaces[name]
	if !ok {
		ns = &namespace{
			workspace: Workspace{Name: name},
			sites:     map[string]*Site{}, siteUIDs: map[string]*Site{},
			articles: map[string]*entry{}, uids: map[string]*entry{},
			trees: trees{}, published: trees{}, planned: trees{}, changed: trees{},
			gone: map[string]*entry{}, subscriptions: map[string]types.UID{},
		}
		x.addUniqueKeys(ns)
		x.namespaces[name] = ns
	}
	return ns
}

// view returns a namespace to read; an empty one if there is none.
func (x *Index) view(name string) *namespace {
	if ns, ok := x.namespaces[name]; ok {
		return ns
	}
	return &namespace{}
}

// viewAccount returns an account to read; an empty one if there is none.
func (x *Index) viewAccount(name string) *account {
	if a, ok := x.accounts[name]; ok {
		return a
	}
	return &account{}
}

// prune removes a namespace without objects.
func (x *Index) prune(ns *namespace) {
	if ns.workspace.Account == "" && len(ns.sites) == 0 && len(ns.articles) == 0 && len(ns.gone) == 0 && len(ns.subscriptions) == 0 {
		delete(x.namespaces, ns.workspace.Name)
	}
}
