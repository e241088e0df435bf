package index_test

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

func TestSitesOfAnAccountAreOrderedByAgeOverItsWorkspaces(t *testing.T) {
	events := map[string]func(x *index.Index){
		"w1":       func(x *index.Index) { x.Handlers().Namespaces.OnAdd(namespace("w1", "acme", "1"), true) },
		"w2":       func(x *index.Index) { x.Handlers().Namespaces.OnAdd(namespace("w2", "acme", "1"), true) },
		"w3":       func(x *index.Index) { x.Handlers().Namespaces.OnAdd(namespace("w3", "other", "1"), true) },
		"w1/young": func(x *index.Index) { x.Handlers().Sites.OnAdd(site("w1", "young", time.Minute), true) },
		"w2/old":   func(x *index.Index) { x.Handlers().Sites.OnAdd(site("w2", "old", time.Hour), true) },
		"w1/oldest": func(x *index.Index) {
			x.Handlers().Sites.OnAdd(site("w1", "oldest", 2*time.Hour), true)
		},
		"w3/foreign": func(x *index.Index) { x.Handlers().Sites.OnAdd(site("w3", "foreign", time.Hour), true) },
		"w4/none":    func(x *index.Index) { x.Handlers().Sites.OnAdd(site("w4", "none", time.Hour), true) },
	}
	// Map iteration shuffles them: informers of different kinds promise no order.
	for range 20 {
		x, _ := newIndex()
		for _, event := range events {
			event(x)
		}
		wantStrings(t, "Sites", siteNames(x.Sites("acme", nil)), []string{"w1/oldest", "w2/old", "w1/young"})
	}
}

func TestSitesFollowTheirWorkspace(t *testing.T) {
	x, _ := newIndex()
	n := x.Handlers().Namespaces
	x.Handlers().Sites.OnAdd(site("w", "s", time.Hour), false)
	// Another workspace keeps the account.
	n.OnAdd(namespace("w2", "acme", "1"), false)
	if got := x.Sites("", nil); len(got) != 0 {
		t.Errorf("a site outside of every workspace is listed: %v", siteNames(got))
	}
	n.OnAdd(namespace("w", "acme", "1"), false)
	wantStrings(t, "after the label", siteNames(x.Sites("acme", nil)), []string{"w/s"})
	n.OnUpdate(nil, namespace("w", "acme", "2"))
	wantStrings(t, "after an update", siteNames(x.Sites("acme", nil)), []string{"w/s"})
	terminating := namespace("w", "acme", "3")
	terminating.DeletionTimestamp = &metav1.Time{Time: start}
	n.OnUpdate(nil, terminating)
	wantStrings(t, "while it is deleted", siteNames(x.Sites("acme", nil)), nil)
	n.OnDelete(terminating)
	n.OnAdd(namespace("w", "acme", "4"), false)
	wantStrings(t, "after it came back", siteNames(x.Sites("acme", nil)), []string{"w/s"})
}

func TestSitesThatAreDeletedOrBeingDeletedAreLeftOut(t *testing.T) {
	s := site("w", "s", time.Hour)
	for name, event := range map[string]func(h toolscache.ResourceEventHandler){
		"deleted": func(h toolscache.ResourceEventHandler) { h.OnDelete(s) },
		"unseen": func(h toolscache.ResourceEventHandler) {
			h.OnDelete(toolscache.DeletedFinalStateUnknown{Key: "w/s", Obj: s})
		},
		"being deleted": func(h toolscache.ResourceEventHandler) {
			gone := s.DeepCopy()
			gone.ResourceVersion = "9"
			gone.DeletionTimestamp = &metav1.Time{Time: start}
			h.OnUpdate(s, gone)
		},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := newIndex()
			x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), false)
			x.Handlers().Sites.OnAdd(s, false)
			event(x.Handlers().Sites)
			wantStrings(t, "Sites", siteNames(x.Sites("acme", nil)), nil)
			if _, ok := x.Site("w", identity.UID(identity.KindSite, "w", "s")); ok {
				t.Error("Site finds it")
			}
		})
	}
}

func TestAtMost500SitesAreListedTheOldestOnes(t *testing.T) {
	x, _ := newIndex()
	x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), false)
	for i := range 510 {
		x.Handlers().Sites.OnAdd(site("w", fmt.Sprintf("s%03d", i), time.Hour-time.Duration(i)*time.Second), false)
	}
	got := x.Sites("acme", nil)
	if len(got) != 500 || got[0].Object.Name != "s000" || got[499].Object.Name != "s499" {
		t.Errorf("Sites gives %d, from %s to %s", len(got), got[0].Object.Name, got[len(got)-1].Object.Name)
	}
}

// A key that opens a younger workspace of a large account still finds the sites there.
func TestSitesThatMayNotBeSeenDoNotUseUpTheLimit(t *testing.T) {
	x, _ := newIndex()
	for _, workspace := range []string{"old", "young"} {
		x.Handlers().Namespaces.OnAdd(namespace(workspace, "acme", "1"), false)
	}
	for i := range 510 {
		x.Handlers().Sites.OnAdd(site("old", fmt.Sprintf("s%03d", i), time.Hour), false)
	}
	x.Handlers().Sites.OnAdd(site("young", "mine", time.Minute), false)
	got := x.Sites("acme", func(workspace string) bool { return workspace == "young" })
	wantStrings(t, "Sites", siteNames(got), []string{"young/mine"})
}

// A customer with kubectl may name a Site like another customer's uid.
func TestAForeignSiteWithTheSameUIDIsNotFound(t *testing.T) {
	const uid = "0192f1b0-7c3e-7a10-8d52-3f5a1c9e0b11"
	x, _ := newIndex()
	x.Handlers().Sites.OnAdd(site("mine", uid, time.Hour), false)
	x.Handlers().Sites.OnAdd(site("theirs", uid, time.Minute), false)
	for _, workspace := range []string{"mine", "theirs"} {
		if s, ok := x.Site(workspace, uid); !ok || s.Workspace != workspace || s.UID != uid {
			t.Errorf("Site(%s) = %v, %v", workspace, s.Workspace, ok)
		}
	}
	x.Handlers().Sites.OnDelete(site("theirs", uid, time.Minute))
	if _, ok := x.Site("theirs", uid); ok {
		t.Error("Site finds the one of another workspace")
	}
}

func TestWorkspacesOfAnAccountAreListedByName(t *testing.T) {
	x, _ := newIndex()
	h := x.Handlers().Namespaces
	for _, n := range []string{"c", "a", "b"} {
		h.OnAdd(namespace(n, "acme", "1"), false)
	}
	h.OnAdd(namespace("d", "other", "1"), false)
	h.OnAdd(namespace("e", "", "1"), false)
	wantStrings(t, "Workspaces", workspaceNames(x.Workspaces("acme")), []string{"a", "b", "c"})

	h.OnUpdate(nil, namespace("b", "other", "3"))
	h.OnUpdate(nil, namespace("b", "acme", "2"))
	wantStrings(t, "Workspaces without one that moved on", workspaceNames(x.Workspaces("acme")), []string{"a", "c"})
	h.OnDelete(namespace("c", "acme", "4"))
	wantStrings(t, "Workspaces without a deleted one", workspaceNames(x.Workspaces("acme")), []string{"a"})

	for name, want := range map[string]string{"a": "acme", "b": "other", "c": "", "e": "", "f": ""} {
		w, ok := x.Workspace(name)
		if ok != (want != "") || w.Account != want {
			t.Errorf("Workspace(%s) = %q, %v, want %q", name, w.Account, ok, want)
		}
	}
}

func TestNothingIsKeptOfWhatIsGone(t *testing.T) {
	x, _ := newIndex()
	a := &v1alpha1.Article{}
	a.Namespace, a.Name, a.ResourceVersion = "w", "a", "1"
	for range 3 {
		x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), false)
		x.Handlers().Sites.OnAdd(site("w", "s", time.Hour), false)
		x.Handlers().Articles.OnAdd(a, false)
		x.Handlers().Namespaces.OnDelete(namespace("w", "acme", "1"))
		x.Handlers().Sites.OnDelete(site("w", "s", time.Hour))
		x.Handlers().Articles.OnDelete(a)
		if got := index.Size(x); got != 0 {
			t.Fatalf("%d namespaces, accounts and watchers are left", got)
		}
	}
}
