package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// heapGrowth is by how many percent of what is in use the controller's heap grows before the garbage collector runs. Nearly all that
	// is in use are cached objects, which stay: with Go's default of 100, as much memory again would be garbage.
	heapGrowth = 50
	// minHeapGrowth is how many bytes the heap grows by at least. With few articles, 50 percent are so little that the garbage collector
	// would take a quarter of the controller's time.
	minHeapGrowth = 48 << 20
)

// boundHeap bounds the growth of the heap by heapGrowth and minHeapGrowth, unless the environment variable GOGC has a value.
func boundHeap(getenv func(string) string) {
	if getenv("GOGC") == "" {
		adjustHeapGrowth()
	}
}

// adjustHeapGrowth sets by how many percent the heap grows, now and whenever the garbage collector has run.
func adjustHeapGrowth() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(heapGrowthOf(live[0].Value.Uint64()))
	runtime.AddCleanup(&struct{ cycle *byte }{}, func(struct{}) { adjustHeapGrowth() }, struct{}{})
}

// heapGrowthOf returns by how many percent a heap grows of which so many bytes are in use.
func heapGrowthOf(live uint64) int {
	return max(heapGrowth, int(100*minHeapGrowth/max(float64(live), 1<<20)))
}
