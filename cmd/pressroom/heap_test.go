package main

import (
	"runtime/debug"
	"testing"
)

func TestTheHeapIsBoundedUnlessGOGCSaysOtherwise(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	boundHeap(func(string) string { return "80" })
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("with GOGC the heap grows by %d percent, want it left alone", got)
	}
	boundHeap(func(string) string { return "" })
	if got := debug.SetGCPercent(100); got == 100 {
		t.Error("without GOGC the growth of the heap is not set")
	}
}

func TestTheHeapGrowsByHalfAndByNoLessThan48MiB(t *testing.T) {
	for live, want := range map[uint64]int{0: 4800, 1 << 20: 4800, 24 << 20: 200, 96 << 20: 50, 400 << 20: 50} {
		if got := heapGrowthOf(live); got != want {
			t.Errorf("with %d MiB in use it grows by %d percent, want %d", live>>20, got, want)
		}
	}
}
