// Package index answers lists from memory: articles newest first, sites and workspaces of an account. Informer events
// feed it, and no request sorts, scans or asks the API server (design, section 4).
package index

import (
	"sync"
	"time"

	"github.com/tidwall/btree"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// PhaseFunc sums an article up; lifecycle.Phase but in tests.
type PhaseFunc func(a *v1alpha1.Article, now time.Time) v1alpha1.ArticlePhase

// Options say how an Index works.
type Options struct {
	// Phase is asked by Transform, which still sees the whole article.
	Phase PhaseFunc
	// Clock tells when the time of a scheduled article has come.
	Clock clock.PassiveClock
}

// Index holds what the informers have seen. Its methods may be called from any goroutine.
type Index struct {
	phase PhaseFunc
	clock clock.PassiveClock

	mu       sync.RWMutex
	rooms    map[string]*room
	accounts map[string]*account
	// due holds the articles that wait for their spec.publishAfter, by time.
	due btree.Map[string, *entry]

	syncedMu sync.Mutex
	// synced has a function for each of the sources that are registered, in their order.
	synced []func() bool
}

// New returns an empty Index. Register feeds it.
func New(o Options) *Index {
	return &Index{
		phase:    o.Phase,
		clock:    o.Clock,
		rooms:    map[string]*room{},
		accounts: map[string]*account{},
	}
}

// room is everything of one namespace. Its account is empty where the namespace is not, or no longer, a workspace: the
// informers of different kinds promise no order among each other.
type room struct {
	workspace Workspace
	sites     map[string]*Site
	siteUIDs  map[string]*Site
	articles  map[string]*entry
	uids      map[string]*entry
	// trees hold the articles by _id: all of them under the empty Filter, and those of each site, status and both.
	trees map[Filter]*btree.Map[string, *entry]
}

// account is everything of one account.
type account struct {
	rooms map[string]*room
	// sites by age.
	sites btree.Map[string, *Site]
}

func (x *Index) roomFor(namespace string) *room {
	r, ok := x.rooms[namespace]
	if !ok {
		r = &room{
			workspace: Workspace{Name: namespace},
			sites:     map[string]*Site{},
			siteUIDs:  map[string]*Site{},
			articles:  map[string]*entry{},
			uids:      map[string]*entry{},
			trees:     map[Filter]*btree.Map[string, *entry]{},
		}
		x.rooms[namespace] = r
	}
	return r
}

// leave forgets a room that has nothing in it.
func (x *Index) leave(r *room) {
	if r.workspace.Account == "" && len(r.sites) == 0 && len(r.articles) == 0 {
		delete(x.rooms, r.workspace.Name)
	}
}
