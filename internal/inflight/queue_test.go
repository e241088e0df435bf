package inflight

import (
	"fmt"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// BenchmarkQueue has one object wait for each of 20,000 hosts of an account that has all its slots in use, and ends a call of another
// account beside them.
func BenchmarkQueue(b *testing.B) {
	tracker := New(Limits{Total: 100, PerAccount: 1}, Results[string]{})
	object := func(name string, i int) types.NamespacedName {
		return types.NamespacedName{Namespace: name, Name: strconv.Itoa(i)}
	}
	loud := func(i int) SlotRequest { return SlotRequest{Account: "loud", Host: fmt.Sprintf("%d.example", i)} }
	tracker.Acquire(object("loud", -1), loud(-1))
	const hosts = 20_000
	b.Run("wait", func(b *testing.B) {
		for b.Loop() {
			for i := range hosts {
				tracker.Acquire(object("loud", i), loud(i))
			}
			for i := range hosts {
				tracker.Drop(object("loud", hosts-1-i))
			}
		}
	})
	for i := range hosts {
		tracker.Acquire(object("loud", i), loud(i))
	}
	b.Run("end", func(b *testing.B) {
		for b.Loop() {
			tracker.Acquire(object("other", 1), SlotRequest{Account: "other", Host: "other.example"}).Release()
		}
	})
}
