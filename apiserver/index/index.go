// Package index answers lists from memory: articles newest first, sites and workspaces of an account. Informer events feed it, and no
// request reads from kube-apiserver (docs/contributing/design.md, Lists from memory).
//
// A workspace has an ordered map of its articles for each kind of list: by age, by publication, by last change, and by the date in a
// calendar. A list begins at its cursor in one of them, and takes the articles that match its filter until the page is full. So a page
// without a filter costs the same however many articles there are, and a filter that finds nothing looks at all of them. The numbers of
// articles are counted at each event.
package index

import (
	"sync"
	"sync/atomic"

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
	// accounts have their workspaces, by name.
	accounts map[string]map[string]*namespace

	// arriving are the published articles whose events have not come yet.
	arriving arrivals
	watchers watchers

	// synced has the HasSynced functions of the informers; nil until all of them are registered.
	synced atomic.Pointer[[]toolscache.InformerSynced]
}

// New returns an empty Index. Register feeds it.
func New(c clock.PassiveClock) *Index {
	return &Index{
		clock: c, namespaces: map[string]*namespace{}, accounts: map[string]map[string]*namespace{},
		arriving: arrivals{articles: map[client.ObjectKey]arrival{}},
	}
}

// namespace has the objects of one namespace. Its account is empty if the namespace is not, or no longer, a workspace: events of
// different informers come in any order.
type namespace struct {
	workspace Workspace
	sites     objects[*Site]
	articles  objects[*entry]
	// deleted has the deleted articles of which a mirror learns, by the names of their Posts.
	deleted map[string]*entry
	// subscriptions are those to events, by name.
	subscriptions map[string]types.UID
	briefs        objects[*Brief]

	// byAge has the articles by _id. byPublication has those that are published, byChange those that are or were, deleted ones too, and
	// byDate those that a calendar has, each by the time that its name says. scheduled has those that become Approved, by when.
	byAge, byPublication, byChange, byDate, scheduled orderedMap

	// counts has the numbers of articles of each site, by its uid, and of all sites under the empty uid.
	counts map[string]*Counts
	usage  Usage
}

// namespaceFor returns the entry of a namespace, a new one if there is none.
func (x *Index) namespaceFor(name string) *namespace {
	ns, ok := x.namespaces[name]
	if !ok {
		ns = &namespace{
			workspace: Workspace{Name: name}, sites: newObjects[*Site](), articles: newObjects[*entry](), deleted: map[string]*entry{},
			subscriptions: map[string]types.UID{}, briefs: newObjects[*Brief](), counts: map[string]*Counts{},
		}
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

// prune removes a namespace without objects.
func (x *Index) prune(ns *namespace) {
	if ns.workspace.Account == "" &&
		len(ns.sites.byName)+len(ns.articles.byName)+len(ns.deleted)+len(ns.subscriptions)+len(ns.briefs.byName) == 0 {
		delete(x.namespaces, ns.workspace.Name)
	}
}
