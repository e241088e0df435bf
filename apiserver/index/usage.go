package index

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Usage is what the workspaces of an account hold of what has a limit (Account, spec.limits).
type Usage struct {
	// Articles, and those of them that were never published.
	Articles, Unpublished int64
	// TextBytes is the size of what authors have written: etcd holds it in articles and in revisions, whether it is published or not.
	TextBytes int64
	// Subscriptions to events.
	Subscriptions int64
	Briefs        int64
}

// Usage returns what the workspaces of an account hold. It may lag behind a write by a moment.
func (x *Index) Usage(accountName string) Usage {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var sum Usage
	for _, ns := range x.accounts[accountName] {
		sum.Articles += ns.usage.Articles
		sum.Unpublished += ns.usage.Unpublished
		sum.TextBytes += ns.usage.TextBytes
		sum.Subscriptions += int64(len(ns.subscriptions))
		sum.Briefs += int64(len(ns.briefs.byName))
	}
	return sum
}

// HasSubscription reports whether Usage has the subscription of a name.
func (x *Index) HasSubscription(workspace, name string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	ns := x.namespaces[workspace]
	return ns != nil && ns.subscriptions[name] != ""
}

func (x *Index) applySubscription(ns *namespace, s *metav1.PartialObjectMetadata) {
	if s.DeletionTimestamp.IsZero() {
		ns.subscriptions[s.Name] = s.UID
	} else {
		delete(ns.subscriptions, s.Name)
	}
}

func (x *Index) deleteSubscription(ns *namespace, s *metav1.PartialObjectMetadata) {
	// Another metadata.uid is a later subscription of the same name.
	if ns.subscriptions[s.Name] == s.UID {
		delete(ns.subscriptions, s.Name)
	}
}
