package controllers

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ownWrites remembers the resource version of this process's last write of each article until the cache shows it. An article
// that the cache shows as it was before is left alone: a step on it would end in a conflict, and the watch reports the write.
type ownWrites struct {
	mu       sync.Mutex
	versions map[types.NamespacedName]string
}

func newOwnWrites() *ownWrites { return &ownWrites{versions: map[types.NamespacedName]string{}} }

// wrote records an article as kube-apiserver returned it.
func (w *ownWrites) wrote(obj client.Object) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.versions[client.ObjectKeyFromObject(obj)] = obj.GetResourceVersion()
}

// seen reports whether an article as the cache has it shows this process's last write.
func (w *ownWrites) seen(obj client.Object) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := client.ObjectKeyFromObject(obj)
	written, ok := w.versions[key]
	if !ok {
		return true
	}
	order, err := resourceversion.CompareResourceVersion(obj.GetResourceVersion(), written)
	if err == nil && order < 0 {
		return false
	}
	delete(w.versions, key)
	return true
}

// forget drops an article that is gone.
func (w *ownWrites) forget(key types.NamespacedName) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.versions, key)
}
