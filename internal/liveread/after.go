package liveread

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// maxAge is how long ago a read may have started that a caller with After is given.
const maxAge = time.Second

// Newest remembers the highest resource version of one kind that a watch has reported. A nil Newest has seen none.
type Newest struct {
	mu   sync.Mutex
	seen string
}

// Saw takes the resource version of an object that a watch has reported.
func (n *Newest) Saw(version string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen == "" || reaches(version, n.seen) {
		n.seen = version
	}
}

func (n *Newest) version() string {
	if n == nil {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen
}

// afterKey is the key of a version in a context.
type afterKey struct{}

// After returns a context whose reads need only have started after an object of the kind of the Reader's Newest was written with this
// resource version, and within the last second. So many objects that were written before may share a read, one after the other.
func After(ctx context.Context, version string) context.Context {
	return context.WithValue(ctx, afterKey{}, version)
}

// accepted returns the version of After, or "".
func accepted(ctx context.Context) string {
	version, _ := ctx.Value(afterKey{}).(string)
	return version
}

// startedAfter reports whether a read started after a version was written, and is new enough. One that has failed is not.
func (r *read) startedAfter(version string) bool {
	if r == nil || version == "" || r.newest == "" || time.Since(r.began) > maxAge || !reaches(r.newest, version) {
		return false
	}
	select {
	case <-r.done:
		return r.err == nil
	default:
		return true
	}
}

// reaches reports whether a resource version is another one or a later one.
func reaches(version, other string) bool {
	order, err := resourceversion.CompareResourceVersion(version, other)
	return err == nil && order >= 0
}
